// SPDX-License-Identifier: MIT
// The size of a terminal.
#pragma once

#include <cstddef>

namespace physmem {

/// Columns of the terminal of a descriptor; $COLUMNS, a positive number, has precedence. 0 if
/// the descriptor is no terminal, or its size is not known.
std::size_t terminal_columns(int descriptor);

}  // namespace physmem
