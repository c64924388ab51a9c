// SPDX-License-Identifier: MIT
// The whole of RAM in --diff.
#pragma once

#include <vector>

#include "analyzer/analyze/ram_diff.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// For text output: classes, then one table for each kind of owner with the largest changes, and
/// notes on what is left out.
std::vector<Table> ram_diff_tables(const RamDiff& diff);

/// diff-classes: all classes.
Table class_changes_table(const RamDiff& diff);

/// diff-owners: its head, its rows (the largest change first), and the cells of a row.
TableHead owner_changes_head();
std::vector<const OwnerChange*> changed_owners(const RamDiff& diff, bool with_unchanged);
std::vector<Cell> owner_change_cells(const RamDiff& diff, const OwnerChange& change);

}  // namespace physmem
