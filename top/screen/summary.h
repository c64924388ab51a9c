// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "top/screen/styled.h"
#include "top/screen/view.h"

namespace physmem::top {

/// The lines above the table: machine, RAM, its classes, swap, verdict.
std::vector<Line> summary_lines(const Shown& shown, const View& view);
/// The line below it: how old the page walks are, what physmem-top costs, or the position in a
/// replay.
Line status_line(const Shown& shown, const View& view);

}  // namespace physmem::top
