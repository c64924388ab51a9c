// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "program/unique_fd.h"

namespace physmem::collect {

/// Reads how much the tasks of memory control groups stall, each group once in a snapshot. Only for
/// the unified hierarchy (version 2); version 1 counts nothing of this kind.
class GroupPressure {
 public:
  /// sys: a /sys tree. Without control groups in it, nothing is read.
  explicit GroupPressure(const std::string& sys);

  void begin_snapshot();
  /// The counters "group.NAME" of formats/physmem-records.md if the group is met for the first time
  /// in this snapshot; otherwise none. cgroup: its path. The root is left out: it is the system.
  std::vector<Counter> first(const std::string& cgroup);

 private:
  /// How often the group and those above it held a task back; nothing if no group counts that.
  std::optional<std::uint64_t> held_back(const std::string& cgroup);

  UniqueFd root_;
  ReadBuffer buffer_;
  std::set<std::string> met_;
  std::map<std::string, std::optional<std::uint64_t>> held_back_;
};

}  // namespace physmem::collect
