// SPDX-License-Identifier: MIT
// Thins a series that has more points than the picture has columns.
#pragma once

#include <utility>
#include <vector>

namespace physmem {

/// Points joined by a line. There is a gap between two runs.
using LineRun = std::vector<std::pair<double, double>>;

/// The runs of a series in which NaN as y is a gap. If more than four points fall into one column
/// of `column` units of x, only the first, lowest, highest and last are kept, in their order. At
/// this width, the line covers the same area as the whole series. A gap inside one column would be
/// invisible and is closed.
std::vector<LineRun> thinned(const LineRun& points, double column);

}  // namespace physmem
