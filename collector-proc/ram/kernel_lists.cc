// SPDX-License-Identifier: MIT
#include "collector-proc/ram/kernel_lists.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

/// The name of a counter has no comma, '=' or blank, and only printable characters.
std::string counter_name(std::string_view prefix, std::string_view name) {
  std::string text(prefix);
  for (const char c : name)
    text += c > ' ' && c <= '~' && c != ',' && c != '=' && c != '|' && c != '\\' ? c : '_';
  return text;
}

std::optional<std::uint64_t> next_number(TextCursor& line) {
  line.skip_blanks();
  return line.number();
}

/// Functions that allocate the stack of a task, by kernel: dup_task_struct() or
/// alloc_thread_stack_node(), or what they are inlined into.
constexpr std::array<std::string_view, 5> kStackCallers{
    "dup_task_struct", "alloc_thread_stack_node", "copy_process", "kernel_clone", "fork_idle"};

bool is_stack(std::string_view caller) {
  const std::string_view function = caller.substr(0, caller.find('+'));
  return std::find(kStackCallers.begin(), kStackCallers.end(), function) != kStackCallers.end();
}

struct VmallocArea {
  std::string_view caller;
  std::uint64_t pages = 0;
};

/// "0x…-0x…   20480 fork_idle+0x74/0x120 pages=4 vmalloc N0=4"
std::optional<VmallocArea> parse_area(std::string_view text) {
  if (text.find(" vmalloc") == std::string_view::npos) return std::nullopt;
  const std::size_t pages = text.find(" pages=");
  if (pages == std::string_view::npos) return std::nullopt;
  TextCursor number(text.substr(pages + 7));
  TextCursor line(text);
  line.until(' ');
  next_number(line);
  line.skip_blanks();
  return VmallocArea{line.until(' '), number.number().value_or(0)};
}

/// reclaim_account has 1 for a cache with SLAB_RECLAIM_ACCOUNT. Sysfs names have no slash.
bool has_flag(int sys, std::string_view cache) {
  std::string name(cache);
  std::replace(name.begin(), name.end(), '/', '!');
  ReadBuffer text;
  return read_at(sys, ("kernel/slab/" + name + "/reclaim_account").c_str(), text) ==
             Access::kRead &&
         text.text().starts_with('1');
}

}  // namespace

std::vector<Counter> parse_slabinfo(std::string_view text, const IsReclaimable& is_reclaimable) {
  std::vector<Counter> caches;
  TextCursor lines(text);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const std::string_view name = line.until(' ');
    const auto active = next_number(line);
    const auto objects = next_number(line);
    const auto bytes = next_number(line);
    next_number(line);
    const auto slab_pages = next_number(line);
    const std::size_t data = line.rest().find(": slabdata");
    if (!slab_pages || data == std::string_view::npos) continue;
    TextCursor numbers(line.rest().substr(data + 10));
    next_number(numbers);
    const std::uint64_t slabs = next_number(numbers).value_or(0);
    if (slabs * *slab_pages == 0) continue;
    const std::pair<const char*, std::uint64_t> values[] = {{"slab.", slabs * *slab_pages},
                                                            {"slab_slabs.", slabs},
                                                            {"slab_objects.", *objects},
                                                            {"slab_active.", *active},
                                                            {"slab_object_bytes.", *bytes}};
    for (const auto& [prefix, value] : values)
      caches.push_back({counter_name(prefix, name), value});
    if (is_reclaimable(name)) caches.push_back({counter_name("slab_reclaimable.", name), 1});
  }
  return caches;
}

std::vector<Counter> parse_vmallocinfo(std::string_view text) {
  std::map<std::string, std::uint64_t> callers;
  TextCursor lines(text);
  while (!lines.at_end()) {
    const auto area = parse_area(lines.line());
    if (!area || area->pages == 0) continue;
    const std::string name =
        is_stack(area->caller) ? "vmalloc.kernel_stack" : counter_name("vmalloc.", area->caller);
    callers.emplace(name, 0).first->second += area->pages;
  }
  std::vector<Counter> counters;
  counters.reserve(callers.size());
  for (const auto& [name, pages] : callers) counters.push_back({name, pages});
  return counters;
}

std::vector<Counter> read_kernel_lists(const ProcTree& tree, int sys) {
  std::vector<Counter> counters;
  ReadBuffer text;
  if (read_at(tree.fd(), "slabinfo", text) == Access::kRead)
    counters =
        parse_slabinfo(text.text(), [sys](std::string_view cache) { return has_flag(sys, cache); });
  if (read_at(tree.fd(), "vmallocinfo", text) == Access::kRead)
    for (Counter& counter : parse_vmallocinfo(text.text())) counters.push_back(std::move(counter));
  return counters;
}

}  // namespace physmem::collect
