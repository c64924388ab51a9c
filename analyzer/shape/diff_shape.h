// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/snapshot_diff.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Everything that changed, as rows of one table: the whole, processes, units, areas. With --full
/// also what did not change, and more columns.
Table diff_table(const SnapshotDiff& diff, const View& view);

/// For people: a table each, the largest change first, with a count of what is left out.
std::vector<Table> diff_tables(const SnapshotDiff& diff, const View& view);

/// What the comparison lacks, in words.
std::vector<std::string> diff_missing(const SnapshotDiff& diff);

}  // namespace physmem
