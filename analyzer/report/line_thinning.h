// SPDX-License-Identifier: MIT
// A long series has more points than a picture has columns.
#pragma once

#include <utility>
#include <vector>

namespace physmem {

/// Points that a line joins; between two runs there is a gap.
using LineRun = std::vector<std::pair<double, double>>;

/// The runs of a series whose gaps are ys that are no number. Where more than four points fall into
/// one column of `column` units of x, the first, the lowest, the highest and the last stay, in
/// their order: drawn at this width, the line covers what the whole series covers. A gap inside one
/// column is too narrow to be seen and is closed.
std::vector<LineRun> thinned(const LineRun& points, double column);

}  // namespace physmem
