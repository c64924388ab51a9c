// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "program/unique_fd.h"

namespace physmem::collect {

/// Reads how much the tasks of memory cgroups stall, each group once in a snapshot. Only for
/// the unified hierarchy (version 2); version 1 counts nothing of this kind.
class GroupPressure {
 public:
  /// sys: a /sys tree. Without cgroups in it, nothing is read.
  explicit GroupPressure(const std::string& sys);

  /// stalled_us: how long tasks of the machine have stalled for memory. While it stays, no group
  /// has new stalls, and nothing is read: for 300 groups that is a third of the cost of a snapshot
  /// of tasks.
  void begin_snapshot(std::optional<std::uint64_t> stalled_us);
  /// The counters "group.NAME" of formats/physmem-records.md if the group is met for the first time
  /// in this snapshot; otherwise none. cgroup: its path. The root is left out: it is the system.
  std::vector<Counter> first(const std::string& cgroup);

 private:
  /// How often the group and those above it held a task back; nothing if none of them counts that.
  std::optional<std::uint64_t> held_back(const std::string& cgroup);

  UniqueFd root_;
  std::optional<std::uint64_t> stalled_us_;  ///< in the snapshot before
  bool is_quiet_ = false;
  ReadBuffer buffer_;
  /// How often groups were met, by a hash of their paths. (The small collector has no room for a
  /// map of texts. Of two groups with one hash, the second is left out.)
  std::unordered_map<std::uint64_t, std::uint64_t> times_;
};

}  // namespace physmem::collect
