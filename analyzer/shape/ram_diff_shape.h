// SPDX-License-Identifier: MIT
// The whole of RAM in --ask diff.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/diff/ram_diff.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/use_shape.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// For text output: classes, then one table for each kind of owner with the largest changes, and
/// notes on what is left out.
std::vector<Table> ram_diff_tables(const RamDiff& diff, const View& view);
/// The same for people: in their unit, what grew first.
std::vector<Table> ram_growth_tables(const RamDiff& diff, const UseView& use, const View& view);

/// "from 23436 pages (91.5 MiB) to 23500 (91.8 MiB): 100 came, 36 went, 23400 stayed, 12 of them in
/// another frame", of the files.
std::string file_changes_line(const RamDiff& diff, const View& view);
/// The table of files of ram_diff_tables().
Table file_changes_text(const RamDiff& diff, const View& view);

/// The files with the largest changes, before and after.
BarChart file_changes_chart(const RamDiff& diff, const View& view, std::size_t rows);

/// diff-classes: all classes.
Table class_changes_table(const RamDiff& diff);

/// diff-owners: its head, its rows (the largest change first), and the cells of a row.
TableHead owner_changes_head();
std::vector<const OwnerChange*> changed_owners(const RamDiff& diff, bool with_unchanged);
std::vector<Cell> owner_change_cells(const RamDiff& diff, const OwnerChange& change);

}  // namespace physmem
