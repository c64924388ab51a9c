// SPDX-License-Identifier: MIT
// A bar of shares on a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// "[aaaffffs...]": a letter per cell, `columns` wide with the brackets (at least three). A share
/// that is not 0 has a cell if there are enough. Letters have a background if the terminal has 256
/// colours, or 8.
std::string share_bar_text(const ShareBar& bar, std::size_t columns, int colours);

}  // namespace physmem
