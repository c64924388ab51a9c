// SPDX-License-Identifier: MIT
// An axis of a diagram: its range and its tick labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace physmem {

/// Whether the value is finite, and small enough that differences stay finite.
bool is_drawable(double value);

/// The range of the numbers.
struct AxisRange {
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
  /// The inverse of part().
  double value(double part) const;
};

/// "2026-11-21", of days since 1970.
std::string date_text(double days);

/// An axis that ends at the smallest and largest number. `limit` of ticks; `min_step`: smallest
/// distance of ticks, 1 for counts.
Axis tight_axis(const AxisRange& extent, std::size_t limit, double min_step = 0);
/// The same of seconds after `zero` (seconds since 1970), with ticks at whole local times:
/// "11:23:30", "11:20", and "11-22" at midnight.
Axis clock_axis(const AxisRange& extent, std::int64_t zero, std::size_t limit);
/// An axis that ends at ticks. It begins at 0, unless the numbers are so close together that this
/// would hide their differences.
Axis rounded_axis(AxisRange extent, std::size_t limit);
/// An axis that ends at powers of ten. The extent must be positive.
Axis logarithmic_axis(const AxisRange& extent, std::size_t limit);

}  // namespace physmem
