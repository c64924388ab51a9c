// SPDX-License-Identifier: MIT
// Which processes of two snapshots are the same.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// A process id and when it began name a process for ever. Version 1 tells no begin: there the
/// command stands in for it, and a process that took the id of another of the same command is taken
/// for that one.
struct ProcessId {
  std::uint64_t pid = 0;
  std::optional<std::uint64_t> start_time = {};  ///< 1/hz s since boot
  std::string name = {};                         ///< only where there is no start time

  static ProcessId of(const Task& task);
  auto operator<=>(const ProcessId&) const = default;
};

/// The file that a process runs: that of its first area with flag X. Nothing where no area has it.
std::optional<UnitKey> program_of(const Process& process);

/// A process that ran `before` has begun to run another program, in memory of its own.
bool is_exec(const std::optional<UnitKey>& before, const std::optional<UnitKey>& after);

}  // namespace physmem
