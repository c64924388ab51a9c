// SPDX-License-Identifier: MIT
#include "collector-proc/ram/cgroup_tree.h"

#include <dirent.h>
#include <sys/stat.h>

#include <memory>
#include <string_view>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {
namespace {

constexpr unsigned kMaxGroupDepth = 64;
/// The first that exists: the memory controller of version 1, then version 2.
constexpr const char* kMemoryOfVersion1 = "fs/cgroup/memory";
constexpr const char* kUnified = "fs/cgroup";

using Visit = std::function<void(const CgroupFolder&)>;

bool is_folder(const dirent& entry) {
  return entry.d_type == DT_DIR && std::string_view(entry.d_name) != "." &&
         std::string_view(entry.d_name) != "..";
}

/// Closes the folder.
void visit_below(CgroupFolder group, const std::string& path, unsigned depth, const Visit& visit) {
  struct stat status {};
  if (::fstat(group.folder, &status) == 0) {
    group.id = status.st_ino;
    group.path = path.empty() ? "/" : path;
    visit(group);
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(group.folder), ::closedir);
  if (!entries) {
    ::close(group.folder);
    return;
  }
  while (const dirent* entry = ::readdir(entries.get())) {
    if (!is_folder(*entry) || depth == kMaxGroupDepth) continue;
    UniqueFd below = open_dir_at(group.folder, entry->d_name);
    if (!below) continue;
    CgroupFolder child = group;
    child.parent = group.id;
    child.folder = below.release();
    visit_below(child, path + "/" + entry->d_name, depth + 1, visit);
  }
}

}  // namespace

void for_each_cgroup(int sys, const Visit& visit) {
  CgroupFolder root;
  UniqueFd folder = open_dir_at(sys, kMemoryOfVersion1);
  root.is_version_1 = static_cast<bool>(folder);
  if (!folder) folder = open_dir_at(sys, kUnified);
  if (!folder) return;
  root.folder = folder.release();
  visit_below(root, "", 0, visit);
}

void CgroupNames::read() {
  is_read_ = true;
  for_each_cgroup(sys_,
                  [this](const CgroupFolder& group) { paths_.emplace(group.id, group.path); });
}

std::optional<std::string> CgroupNames::path(std::uint64_t id) {
  if (!is_read_) read();
  const auto found = paths_.find(id);
  return found == paths_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace physmem::collect
