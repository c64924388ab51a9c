// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "top/screen/styled.h"
#include "top/screen/view.h"

namespace physmem::top {

/// The details of one process: numbers, regions, mapped files, maps with 64 pages per line.
/// Everything, also what does not fit on the screen.
std::vector<Line> process_lines(const Shown& shown, const View& view);

}  // namespace physmem::top
