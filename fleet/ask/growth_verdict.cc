// SPDX-License-Identifier: MIT
#include "fleet/ask/growth_verdict.h"

#include <algorithm>
#include <cmath>

#include "analyzer/analyze/time/line_fit.h"

namespace physmem::fleet {
namespace {

/// Half the 95 % interval of the slope.
double half_width(const GrowthLine& line) {
  if (line.fit <= 0) return std::abs(line.slope);
  const std::uint64_t degrees = std::min(line.samples, kMaxIndependent) - 2;
  const double error =
      line.slope * std::sqrt(std::max(0.0, 1 / line.fit - 1) / static_cast<double>(degrees));
  return t_quantile(degrees) * std::abs(error);
}

double fit_of_a_step(std::uint64_t samples) {
  const double squared = static_cast<double>(samples) * static_cast<double>(samples);
  return 0.75 * squared / (squared - 1);
}

LeakReason reason(const GrowthLine& line, double lower) {
  constexpr double kRounding = 1e-9;
  if (line.seconds < kMinDuration) return LeakReason::kTooShort;
  if (line.growth() < kMinLeak) return LeakReason::kSmall;
  if (lower * line.seconds < kMinLeak / 2) return LeakReason::kUncertain;
  if (line.fit <= fit_of_a_step(line.samples) + kRounding) return LeakReason::kOneStep;
  return LeakReason::kLeak;
}

}  // namespace

GrowthVerdict judge(const GrowthLine& line) {
  LeakVerdict verdict;
  verdict.fit = {.points = line.samples, .slope = line.slope, .half_width = half_width(line)};
  verdict.growth = line.growth();
  const LeakReason why = reason(line, verdict.fit.lower());
  if (why != LeakReason::kLeak) return {why};
  return {why, confidence_of(verdict, kMinLeak)};
}

}  // namespace physmem::fleet
