// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// All changes as rows of one table: the total, processes, units, areas. --full adds unchanged rows
/// and more columns.
Table diff_table(const SnapshotDiff& diff, const View& view);

/// The first table of text output.
Table diff_totals(const SnapshotDiff& diff);

/// For text output: one table for each kind, the largest change first, with the number of rows left
/// out.
std::vector<Table> diff_tables(const SnapshotDiff& diff, const View& view);

/// The processes of diff_tables(), in its order, and its units.
std::vector<const ProcessChange*> changed_processes(const SnapshotDiff& diff);
std::vector<const UnitChange*> changed_units(const std::vector<UnitChange>& units);
/// ", 60.0 s later". Empty if the snapshots have no times.
std::string elapsed_text(const SnapshotDiff& diff);

/// Sentences on what is missing from the comparison.
std::vector<std::string> diff_missing(const SnapshotDiff& diff);

}  // namespace physmem
