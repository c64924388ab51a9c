// SPDX-License-Identifier: MIT
// Compares the ledger with the kernel's own totals.
#pragma once

#include <vector>

#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/ram_verdict.h"

namespace physmem {

/// All comparisons that the snapshot allows, in a fixed order. Empty without R: lines.
std::vector<RamVerdict> ram_verdicts(const Ledger& ledger);

}  // namespace physmem
