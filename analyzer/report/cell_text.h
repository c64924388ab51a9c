// SPDX-License-Identifier: MIT
// How one cell reads, the same in text, CSV and JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// Nothing is known: no value, or a number that is none (a share of zero pages).
bool is_unknown(const Cell& cell);

/// The cell of a column, unknown when the row is too short.
const Cell& cell_at(const std::vector<Cell>& cells, std::size_t column);

/// Appends digits, 0X%08X or two decimals. A text goes as it is, an unknown cell appends nothing.
void append_cell(std::string& to, const Cell& cell, Column::Kind kind);

/// False when every title is empty: alerts and the count of pages are lines, not columns.
bool has_titles(const TableHead& head);

}  // namespace physmem
