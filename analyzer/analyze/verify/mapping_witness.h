// SPDX-License-Identifier: MIT
// Compares mappings in page tables with the counts of frames.
#pragma once

#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/ram_verdict.h"
#include "analyzer/analyze/verify/mapping_join.h"

namespace physmem {

/// Counts that no process explains differ in any snapshot; others may have changed between the
/// lines M: and R:, unless the snapshot is of one moment.
RamVerdict mapping_verdict(const MappingJoin& join, const Ledger& ledger);

}  // namespace physmem
