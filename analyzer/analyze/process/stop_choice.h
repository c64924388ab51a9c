// SPDX-License-Identifier: MIT
// Which processes to end for an amount of free memory.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analyze/process/stop_estimate.h"

namespace physmem {

struct StopChoice {
  std::vector<std::uint32_t> sets;  ///< numbers of StopEstimate::sets(), the largest first
  StopSet all;                      ///< of these, as one set
};

/// The smallest set that frees so many pages. If none does, the fewest of the largest ones that do
/// it together, or all if that is not enough. Sets that were not read are left out.
StopChoice choose_sets(const StopEstimate& estimate, std::uint64_t pages);

}  // namespace physmem
