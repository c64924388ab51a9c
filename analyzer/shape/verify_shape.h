// SPDX-License-Identifier: MIT
// Comparisons with what the kernel counts, as tables.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/ram_verdict.h"
#include "analyzer/analyze/verify/mapping_join.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// "9 of 12 witnesses agree, 2 moved, 1 cannot be compared".
std::string verdict_text(const std::vector<RamVerdict>& verdicts);

/// One row per comparison with the kernel's totals.
Table witness_table(const std::vector<RamVerdict>& verdicts);

/// The processes, cgroups and orders of free blocks of these comparisons, or only those that
/// differ.
Table members_table(const std::vector<RamVerdict>& verdicts, bool has_all);

/// Frames that page tables map more or less often than the kernel counts, at most max_rows runs.
Table miscounted_table(const MappingJoin& join, const Ledger& ledger, std::size_t max_rows);

}  // namespace physmem
