// SPDX-License-Identifier: MIT
// The size of a terminal, and what it can show.
#pragma once

#include <cstddef>

namespace physmem {

/// Columns of the terminal of a descriptor; $COLUMNS, a positive number, has precedence. 0 if
/// the descriptor is no terminal, or its size is not known.
std::size_t terminal_columns(int descriptor);

/// The same for lines, and $LINES.
std::size_t terminal_lines(int descriptor);

/// Whether the user refuses colours: NO_COLOR is not empty (https://no-color.org).
bool refuses_colours();

/// Whether the locale of the environment (LC_ALL, LC_CTYPE, LANG) has UTF-8, so that the terminal
/// should show it. If the locale is not installed, its name decides.
bool has_utf8();

}  // namespace physmem
