// SPDX-License-Identifier: MIT
// Linear regression by least squares.
#pragma once

#include <cstddef>
#include <span>

namespace physmem {

struct LineFit {
  std::size_t points = 0;
  double slope = 0;
  double at_zero = 0;  ///< y of the line at x = 0
  double error = 0;    ///< standard error of the slope
  /// Half of the slope's 95 % interval, by Student's t with points - 2 degrees of freedom.
  double half_width = 0;

  double lower() const { return slope - half_width; }
  double at(double x) const { return at_zero + slope * x; }
};

/// Requires at least three points with different x. The interval is valid for independent errors.
/// Those of memory seldom are, so the real uncertainty is larger.
LineFit fit_line(std::span<const double> x, std::span<const double> y);

/// The 97.5 % quantile of Student's t distribution.
double t_quantile(std::size_t degrees);

}  // namespace physmem
