// SPDX-License-Identifier: MIT
// Which processes to end for an amount of free memory.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analyze/process/stop_estimate.h"

namespace physmem {

struct StopChoice {
  std::vector<std::uint32_t> sets;  ///< numbers of StopEstimate::sets()
  StopSet all;                      ///< of these, as one set
};

/// The smallest set that frees so many pages. If none does, several that do it together, of which
/// none can be left out: those with the smallest share of the frames are left out first. All if
/// that is not enough. Of sets that were not read completely, what is known counts.
StopChoice choose_sets(const StopEstimate& estimate, std::uint64_t pages);

}  // namespace physmem
