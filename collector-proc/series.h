// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "collector-proc/collect.h"
#include "program/clock.h"

namespace physmem::collect {

/// How many snapshots, and how far their beginnings are apart.
struct Pace {
  std::uint64_t interval_ns = 0;  // not used for one snapshot
  std::uint64_t count = 1;        // 0: until a signal ends it
};

/// What became of a series.
struct Taken {
  std::uint64_t snapshots = 0;   // whole ones
  std::uint64_t skipped = 0;     // deadlines that were over when the snapshot before was complete
  std::uint64_t longest_ns = 0;  // that a snapshot took
  Losses losses;                 // of all of them
  std::optional<Error> stopped;  // why there are no more; empty: there are as many as wanted
  bool is_cut = false;           // behind the last one the output has a piece of another
};

/// Takes snapshots until there are enough, a signal comes, the reader of the output goes away, or
/// one fails. The output is left for finish(), with nothing but whole snapshots in it where that is
/// possible.
Taken take_series(Collector& collector, const Pace& pace, Output& output, Progress& progress,
                  Clock& clock = system_clock());

}  // namespace physmem::collect
