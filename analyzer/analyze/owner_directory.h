// SPDX-License-Identifier: MIT
// The owners of one snapshot by their ids, while it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/mount_points.h"
#include "analyzer/model/ram.h"
#include "analyzer/model/task.h"

namespace physmem {

class OwnerDirectory {
 public:
  void on_task(const Task& task);
  void on_area(const Vma& vma) { mounts_.on_area(vma); }
  /// Adds the next owner. Returns it with its whole name: the record of a task has none, but its T:
  /// line has, unless the task is new; a file's record lacks the mount point (mount_points.h).
  RamOwner add(RamOwner owner);
  /// The number of owners that were added before the one with this id.
  std::optional<std::size_t> find(std::uint64_t id) const;

 private:
  std::unordered_map<std::uint64_t, std::string> comms_;  ///< names of tasks, by pid
  MountPoints mounts_;
  std::vector<std::uint64_t> ids_;  ///< ascending, and nearly always 1, 2, 3 …
};

}  // namespace physmem
