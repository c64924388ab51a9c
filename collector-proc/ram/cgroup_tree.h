// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

namespace physmem::collect {

/// The folder of a memory cgroup. `folder` is open during the visit only.
struct CgroupFolder {
  int folder = -1;
  std::uint64_t id = 0;      ///< inode: what /proc/kpagecgroup shows
  std::uint64_t parent = 0;  ///< its id; 0: this is the root
  std::string path;          ///< "/" is the root
  bool is_version_1 = false;
};

/// Visits all memory cgroups of a /sys tree, parents first. Groups that are deleted during
/// the visit, and those more than 64 folders deep, are left out.
void for_each_cgroup(int sys, const std::function<void(const CgroupFolder&)>& visit);

/// Paths of memory cgroups by their id, which is the inode of their folder: what
/// /proc/kpagecgroup shows.
class CgroupNames {
 public:
  /// `sys`: a /sys tree. Reads its folders at the first question. A group that was deleted since is
  /// not found.
  explicit CgroupNames(int sys) : sys_(sys) {}
  /// "/" is the root.
  std::optional<std::string> path(std::uint64_t id);

 private:
  void read();

  int sys_;
  bool is_read_ = false;
  std::unordered_map<std::uint64_t, std::string> paths_;
};

}  // namespace physmem::collect
