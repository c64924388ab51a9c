// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/leak_verdict.h"

#include <algorithm>

namespace physmem {
namespace {

double largest_fall(std::span<const double> pages) {
  double peak = pages.front();
  double fall = 0;
  for (const double now : pages) {
    peak = std::max(peak, now);
    fall = std::max(fall, peak - now);
  }
  return fall;
}

/// Pages at `time`, interpolated linearly between the samples around it.
double pages_at(const TimeSeries& t, double time) {
  std::size_t i = 1;
  while (i + 1 < t.time.size() && t.time[i] < time) ++i;
  const double part = (time - t.time[i - 1]) / (t.time[i] - t.time[i - 1]);
  return t.pages[i - 1] + part * (t.pages[i] - t.pages[i - 1]);
}

double late_rate(const TimeSeries& t) {
  const double third = (t.time.back() - t.time.front()) / 3;
  return (t.pages.back() - pages_at(t, t.time.back() - third)) / third;
}

/// Whether a step is too large for steady growth.
bool is_one_step(const TimeSeries& t, double growth) {
  const double span = t.time.back() - t.time.front();
  for (std::size_t i = 1; i < t.time.size(); ++i) {
    const double share_of_time = (t.time[i] - t.time[i - 1]) / span;
    if (t.pages[i] - t.pages[i - 1] > growth * std::max(kMaxStep, 1.5 * share_of_time)) return true;
  }
  return false;
}

double largest_step(std::span<const double> pages) {
  double step = 0;
  for (std::size_t i = 1; i < pages.size(); ++i) step = std::max(step, pages[i] - pages[i - 1]);
  return step;
}

LeakReason reason(const TimeSeries& t, const LeakVerdict& v) {
  const double span = t.time.back() - t.time.front();
  if (span < t.min_duration) return LeakReason::kTooShort;
  if (t.is_of_file) return LeakReason::kOfFile;
  if (v.growth < min_leak(t.page_size)) return LeakReason::kSmall;
  if (v.fit.lower() * span < min_leak(t.page_size) / 2) return LeakReason::kUncertain;
  if (v.fall > kMaxGivenBack * v.growth) return LeakReason::kGivesBack;
  if (is_one_step(t, v.growth)) return LeakReason::kOneStep;
  if (v.late_rate < kMinLateRate * v.growth / span) return LeakReason::kLevelsOff;
  if (t.is_piece) return LeakReason::kMoves;
  return LeakReason::kLeak;
}

Confidence confidence(const TimeSeries& t, const LeakVerdict& v) {
  const Confidence confidence = confidence_of(v, min_leak(t.page_size));
  return t.is_shared_memory ? std::min(confidence, Confidence::kMedium) : confidence;
}

}  // namespace

double min_leak(double page_size) {
  return std::max(kMinLeak / page_size, kMinLeakPages);
}

Confidence confidence_of(const LeakVerdict& v, double min_leak) {
  const std::size_t samples = v.fit.points;
  if (samples >= 8 && v.doubt() <= 0.1 && v.fall <= 0.05 * v.growth && v.growth >= 10 * min_leak)
    return Confidence::kHigh;
  return samples >= 5 && v.doubt() <= 0.5 ? Confidence::kMedium : Confidence::kLow;
}

LeakVerdict judge(const TimeSeries& t) {
  LeakVerdict v;
  v.fit.points = t.time.size();
  if (t.time.size() < kMinSamples) return v;
  v.fit = fit_line(t.time, t.pages);
  v.growth = t.pages.back() - t.pages.front();
  v.fall = largest_fall(t.pages);
  v.step = largest_step(t.pages);
  v.late_rate = late_rate(t);
  v.reason = reason(t, v);
  if (v.is_leak()) v.confidence = confidence(t, v);
  return v;
}

}  // namespace physmem
