// SPDX-License-Identifier: MIT
// A straight line through measured points, by least squares.
#pragma once

#include <cstddef>
#include <span>

namespace physmem {

struct LineFit {
  std::size_t points = 0;
  double slope = 0;
  double at_zero = 0;  ///< the line's y where x is 0
  double error = 0;    ///< standard error of the slope
  double half_width =
      0;  ///< of the slope's 95 % interval, by Student's t with points - 2 degrees of freedom

  double lower() const { return slope - half_width; }
  double at(double x) const { return at_zero + slope * x; }
};

/// Three points or more, not all of the same x. The interval holds for errors that are independent
/// of each other; those of memory seldom are, so it is a lower bound of the doubt.
LineFit fit_line(std::span<const double> x, std::span<const double> y);

/// Student's t that 2.5 % of the distribution lie above.
double t_quantile(std::size_t degrees);

}  // namespace physmem
