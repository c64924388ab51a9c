// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/line_fit.h"

#include <array>
#include <cmath>
#include <numeric>

namespace physmem {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double t_quantile(std::size_t degrees) {
  constexpr std::array kTable{12.706, 4.303, 3.182, 2.776, 2.571,
                              2.447,  2.365, 2.306, 2.262, 2.228};
  if (degrees <= kTable.size()) return kTable[degrees == 0 ? 0 : degrees - 1];
  // Cornish-Fisher expansion; from 11 degrees on correct to 0.001.
  const double n = static_cast<double>(degrees);
  return 1.95996 + 2.37227 / n + 2.8225 / (n * n) + 2.5558 / (n * n * n);
}

LineFit fit_line(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  LineFit fit{x.size(), xy / xx, 0, 0, 0};
  fit.at_zero = mean_y - fit.slope * mean_x;
  double rest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) rest += (y[i] - fit.at(x[i])) * (y[i] - fit.at(x[i]));
  const std::size_t degrees = x.size() - 2;
  fit.error = std::sqrt(rest / static_cast<double>(degrees) / xx);
  fit.half_width = t_quantile(degrees) * fit.error;
  return fit;
}

}  // namespace physmem
