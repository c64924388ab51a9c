// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// Groups of a chart, unless the user has chosen another number.
inline constexpr std::size_t kChartRows = 20;

/// Keeps the first rows of a table, and `last` ones at its end, such as the total. A note has the
/// number of the others, and replaces those on rows that were left out before.
void keep_first(Table& table, std::size_t rows, std::size_t last = 0);

/// The same of a chart: the others are one group, "(12 more)", with their sums.
void keep_first(BarChart& chart, std::size_t groups);

/// Removes the columns that are unknown in each row.
void leave_out_unknown(Table& table);

}  // namespace physmem
