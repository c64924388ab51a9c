// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// Keeps the first rows of a table, and `last` ones at its end, such as the total. A note has the
/// number of the others, and replaces those on rows that were left out before.
void keep_first(Table& table, std::size_t rows, std::size_t last = 0);

/// Removes the columns that are unknown in each row.
void leave_out_unknown(Table& table);

}  // namespace physmem
