// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace physmem::collect {

/// Paths of memory control groups by their id, which is the inode of their folder: what
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
