// SPDX-License-Identifier: MIT
// The text of one cell.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// True if the cell has no value or is NaN (a share of zero pages).
bool is_unknown(const Cell& cell);

/// The cell of a column; unknown if the row is too short.
const Cell& cell_at(const std::vector<Cell>& cells, std::size_t column);

/// The text for programs: of a text, and of a word the word itself. nullptr for other cells.
const std::string* plain_text(const Cell& cell);

/// Appends a number as digits, 0X%08X or with two decimals, a text unchanged, and the title of a
/// word. An unknown cell appends nothing.
void append_cell(std::string& to, const Cell& cell, Column::Kind kind);

/// False if all titles are empty: alerts and the count of pages are lines without columns.
bool has_titles(const TableHead& head);

}  // namespace physmem
