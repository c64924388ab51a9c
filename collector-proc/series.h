// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "collector-proc/collect.h"
#include "program/clock.h"

namespace physmem::collect {

/// The number of snapshots, and the interval between their start times.
struct Pace {
  std::uint64_t interval_ns = 0;  // not used for one snapshot
  std::uint64_t count = 1;        // 0: until a signal ends it
  // Number of the first snapshot. Absent: a series begins with 0, a single snapshot has none.
  std::optional<std::uint64_t> sequence = {};
  std::optional<std::uint64_t> lost = {};  // Machine::lost of each snapshot
};

/// The result of a series.
struct Taken {
  std::uint64_t snapshots = 0;   // complete ones
  std::uint64_t skipped = 0;     // deadlines missed because a snapshot took too long
  std::uint64_t longest_ns = 0;  // longest time of a snapshot
  Losses losses;                 // of all of them
  std::optional<Error> stopped;  // why it ended early; empty: all snapshots were taken
  bool is_cut = false;           // the output ends with a part of a snapshot
};

/// Takes snapshots until the count is reached, a signal arrives, the reader closes the output, or a
/// snapshot fails. The caller must call finish(). The output then has only complete snapshots, if
/// possible. `taken` is up to date at any time, for OnFailure.
void take_series(Collector& collector, const Pace& pace, Output& output, Progress& progress,
                 Taken& taken, Clock& clock = system_clock());

}  // namespace physmem::collect
