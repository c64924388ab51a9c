// SPDX-License-Identifier: MIT
// Which processes of two snapshots are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// A process id and when it began name a process for ever. Version 1 tells no begin: there the command stands in
/// for it, and a process that took the id of another of the same command is taken for that one.
struct ProcessId {
  std::uint64_t pid = 0;
  std::optional<std::uint64_t> start_time;  ///< 1/hz s since boot
  std::string name;

  static ProcessId of(const Process& process) {
    const auto& identity = process.task.identity;
    return {process.pid(), identity ? std::optional(identity->start_time) : std::nullopt, process.task.comm};
  }
  bool is_same(const ProcessId& other) const {
    if (pid != other.pid) return false;
    return start_time && other.start_time ? start_time == other.start_time : name == other.name;
  }
};

}  // namespace physmem
