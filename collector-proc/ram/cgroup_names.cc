// SPDX-License-Identifier: MIT
#include "collector-proc/ram/cgroup_names.h"

#include <dirent.h>
#include <sys/stat.h>

#include <memory>
#include <string_view>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {
namespace {

constexpr unsigned kMaxDepth = 64;
/// The first that exists: the memory controller of version 1, then version 2.
constexpr const char* kMemoryOfVersion1 = "fs/cgroup/memory";
constexpr const char* kUnified = "fs/cgroup";

bool is_folder(const dirent& entry) {
  return entry.d_type == DT_DIR && std::string_view(entry.d_name) != "." &&
         std::string_view(entry.d_name) != "..";
}

}  // namespace

void CgroupNames::add(int folder, const std::string& path, unsigned depth) {
  struct stat status {};
  if (::fstat(folder, &status) == 0)
    paths_.emplace(status.st_ino, path.empty() ? std::string("/") : path);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(folder), ::closedir);
  if (!entries) {
    ::close(folder);
    return;
  }
  while (const dirent* entry = ::readdir(entries.get())) {
    if (!is_folder(*entry) || depth == kMaxDepth) continue;
    UniqueFd below = open_dir_at(folder, entry->d_name);
    if (below) add(below.release(), path + "/" + entry->d_name, depth + 1);
  }
}

void CgroupNames::read() {
  is_read_ = true;
  UniqueFd root = open_dir_at(sys_, kMemoryOfVersion1);
  if (!root) root = open_dir_at(sys_, kUnified);
  if (root) add(root.release(), "", 0);
}

std::optional<std::string> CgroupNames::path(std::uint64_t id) {
  if (!is_read_) read();
  const auto found = paths_.find(id);
  return found == paths_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace physmem::collect
