// SPDX-License-Identifier: MIT
// Matches processes between two snapshots.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// A process id and start time identify a process permanently. Version 1 has no start time, so the
/// command is used instead. A process that reuses the id of another with the same command is then
/// taken for that one.
struct ProcessId {
  std::uint64_t pid = 0;
  std::optional<std::uint64_t> start_time = {};  ///< 1/hz s since boot
  std::string name = {};                         ///< only if there is no start time

  static ProcessId of(const Task& task);
  auto operator<=>(const ProcessId&) const = default;
};

/// The program file of a process: the unit of its first area with flag X. Nothing if no area has
/// it.
std::optional<UnitKey> program_of(const Process& process);

/// Whether a process that ran `before` has executed another program.
bool is_exec(const std::optional<UnitKey>& before, const std::optional<UnitKey>& after);

}  // namespace physmem
