// SPDX-License-Identifier: MIT
// Compares mappings in page tables with the counts of frames.
#pragma once

#include "analyzer/analyze/ledger.h"
#include "analyzer/analyze/mapping_join.h"
#include "analyzer/analyze/ram_verdict.h"

namespace physmem {

/// Counts that no process explains differ in any snapshot; others may have changed between the
/// lines M: and R:, unless the snapshot is of one moment.
RamVerdict mapping_verdict(const MappingJoin& join, const Ledger& ledger);

}  // namespace physmem
