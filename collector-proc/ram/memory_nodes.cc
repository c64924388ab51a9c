// SPDX-License-Identifier: MIT
#include "collector-proc/ram/memory_nodes.h"

#include <dirent.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "collector-proc/proc_tree.h"
#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

/// More than any kernel has of nodes (1024) and CPUs (8192).
constexpr std::uint64_t kMaxId = 65536;

/// Calls visit(N, text) for each file FOLDER/PREFIX<N>/FILE.
void for_each_numbered(int sys, const char* folder, std::string_view prefix, const char* file,
                       const std::function<void(std::uint64_t, std::string_view)>& visit) {
  UniqueFd fd = open_dir_at(sys, folder);
  if (!fd) return;
  const int at = fd.get();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(at), ::closedir);
  if (!entries) return;
  fd.release();
  ReadBuffer text;
  while (const dirent* entry = ::readdir(entries.get())) {
    TextCursor name(entry->d_name);
    if (!name.skip(prefix)) continue;
    const auto number = name.number();
    const std::string path = std::string(entry->d_name) + "/" + file;
    if (number && name.at_end() && read_at(at, path.c_str(), text) == Access::kRead)
      visit(*number, text.text());
  }
}

std::string counter_name(std::uint64_t node, const char* what) {
  return "node." + std::to_string(node) + "." + what;
}

}  // namespace

std::vector<std::uint64_t> parse_id_list(std::string_view text) {
  std::vector<std::uint64_t> ids;
  TextCursor list(text);
  do {
    const auto first = list.number();
    if (!first) break;
    const std::uint64_t last = list.skip('-') ? list.number().value_or(*first) : *first;
    if (last >= kMaxId) break;
    for (std::uint64_t id = *first; id <= last; ++id) ids.push_back(id);
  } while (list.skip(',') && ids.size() < kMaxId);
  return ids;
}

std::vector<Counter> read_memory_nodes(int sys) {
  std::vector<Counter> counters;
  for_each_numbered(sys, "devices/system/node", "node", "cpulist",
                    [&](std::uint64_t node, std::string_view list) {
                      counters.push_back({counter_name(node, "cpus"), parse_id_list(list).size()});
                    });
  for_each_numbered(sys, "devices/virtual/memory_tiering", "memory_tier", "nodelist",
                    [&](std::uint64_t tier, std::string_view list) {
                      for (const std::uint64_t node : parse_id_list(list))
                        counters.push_back({counter_name(node, "tier"), tier});
                    });
  return counters;
}

}  // namespace physmem::collect
