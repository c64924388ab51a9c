// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace physmem::collect {

/// The folder of a memory control group. `folder` is open during the visit only.
struct CgroupFolder {
  int folder = -1;
  std::uint64_t id = 0;  ///< inode: what /proc/kpagecgroup shows
  std::uint64_t parent = 0;  ///< its id; 0: this is the root
  std::string path;      ///< "/" is the root
  bool is_version_1 = false;
};

/// Visits all memory control groups of a /sys tree, parents first. Groups that are deleted during
/// the visit, and those more than 64 folders deep, are left out.
void for_each_cgroup(int sys, const std::function<void(const CgroupFolder&)>& visit);

}  // namespace physmem::collect
