// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "top/screen/layout.h"
#include "top/screen/styled.h"
#include "top/screen/view.h"

namespace physmem::top {

/// The heading, the visible rows, blank lines up to the height of the table, and the total.
std::vector<Line> table_lines(const Shown& shown, const View& view);

/// If the table is empty: why.
Line empty_line(const View& view);
/// A row without its style, for output without a screen.
Line row_line(const Row& row, const std::vector<TableColumn>& columns);
Line heading_line(const std::vector<TableColumn>& columns, const Order& order);
Line total_line(const Shown& shown, const std::vector<TableColumn>& columns);

}  // namespace physmem::top
