// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// How many of `columns` cells each part of a bar has. A part that is not 0 has at least one if
/// there are enough. The sum is `columns`; nothing has cells if all parts are 0.
std::vector<std::size_t> share_cells(const ShareBar& bar, std::size_t columns);

}  // namespace physmem
