// SPDX-License-Identifier: MIT
// An axis of a diagram: from which number to which, and which numbers are written beside it.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace physmem {

/// Finite, and far enough from the largest double that differences stay finite.
bool is_drawable(double value);

/// From the smallest number to the largest.
struct Extent {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return min > max; }
  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

struct Axis {
  struct Tick {
    double value;
    std::string text;  ///< empty: a line and no number
  };
  double min = 0;
  double max = 1;
  bool is_logarithmic = false;
  std::vector<Tick> ticks;

  /// 0 at min, 1 at max.
  double part(double value) const;
  /// The other way round.
  double value(double part) const;
};

/// Ends where the numbers end. `most`: ticks there is room for; `min_step`: between two of them, 1
/// for what is counted.
Axis tight_axis(const Extent& extent, std::size_t most, double min_step = 0);
/// Ends on ticks, and begins at 0 unless all numbers lie so close together that this would hide how
/// they differ.
Axis rounded_axis(Extent extent, std::size_t most);
/// Whole powers of ten. The extent holds positive numbers only.
Axis logarithmic_axis(const Extent& extent, std::size_t most);

}  // namespace physmem
