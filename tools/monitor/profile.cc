// SPDX-License-Identifier: MIT
#include "tools/monitor/profile.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace physmem::monitor {
namespace {

constexpr std::uint64_t kTwoTo32 = std::uint64_t{1} << 32;

bool is_before(const Sample& a, const Sample& b) {
  return a.jiffies < b.jiffies;
}

/// Programs may write anything into a shared buffer, so sums saturate.
void add(std::int64_t& sum, std::int64_t more) {
  if (__builtin_add_overflow(sum, more, &sum))
    sum = more > 0 ? std::numeric_limits<std::int64_t>::max()
                   : std::numeric_limits<std::int64_t>::min();
}

/// A ring holds ten minutes. The counter has wrapped if samples seem to be more than 2^31 ticks (24
/// days at 1000 Hz) apart and all are values of a 32-bit counter, signed or unsigned.
bool has_restarted(const std::vector<Sample>& ascending) {
  const Sample& first = ascending.front();
  const Sample& last = ascending.back();
  const std::uint64_t ticks = ticks_between(first, last);
  return first.jiffies >= std::numeric_limits<std::int32_t>::min() &&
         last.jiffies < std::int64_t{kTwoTo32} && ticks > std::uint64_t{1} << 31 &&
         ticks < kTwoTo32;
}

}  // namespace

std::uint64_t ticks_between(const Sample& earlier, const Sample& later) {
  // Unsigned, to avoid overflow.
  const std::uint64_t ticks =
      static_cast<std::uint64_t>(later.jiffies) - static_cast<std::uint64_t>(earlier.jiffies);
  return is_before(later, earlier) ? ticks + kTwoTo32 : ticks;
}

std::vector<Sample> in_order_of_time(std::vector<Sample> samples) {
  std::stable_sort(samples.begin(), samples.end(), is_before);
  if (samples.empty() || !has_restarted(samples)) return samples;
  const auto by_distance = [&samples](std::size_t a, std::size_t b) {
    return ticks_between(samples[a - 1], samples[a]) < ticks_between(samples[b - 1], samples[b]);
  };
  // On a circle of 2^32 ticks the samples are close together. Time begins after the widest gap.
  std::size_t begin = 1;
  for (std::size_t i = 2; i < samples.size(); ++i)
    if (by_distance(begin, i)) begin = i;
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(begin);
  std::rotate(samples.begin(), middle, samples.end());
  return samples;
}

std::optional<unsigned> hz_of(const std::vector<Sample>& samples) {
  if (samples.size() < 2) return std::nullopt;
  std::vector<std::uint64_t> steps;
  for (std::size_t i = 1; i < samples.size(); ++i)
    steps.push_back(ticks_between(samples[i - 1], samples[i]));
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  const auto median = static_cast<double>(*middle);
  // 250 Hz has 12.5 ticks in 50 ms, so both 12 and 13 are valid. Modules that re-arm their timer
  // are late by a factor of up to 1.2. A factor of 1.5 means another clock or another profiler.
  constexpr double kMaxLate = 1.5;
  std::optional<unsigned> found;
  for (const unsigned hz : {100U, 250U, 300U, 1000U}) {
    const double step = hz / kSamplesPerSecond;
    if (median >= step - 0.5 && median <= step * kMaxLate) found = hz;
  }
  return found;
}

Profile::Profile(std::vector<Sample> samples, std::optional<unsigned> hz, CpuUnit unit)
    : samples_(in_order_of_time(std::move(samples))), unit_(unit) {
  constexpr unsigned kAny = 1;
  hz_ = hz.value_or(hz_of(samples_).value_or(samples_.size() < 2 ? kAny : 0));
}

double Profile::seconds(std::size_t sample) const {
  return static_cast<double>(ticks_between(samples_.front(), samples_[sample])) / hz_;
}

double Profile::cpu_seconds(const Sample& sample) const {
  return static_cast<double>(sample.cpu) / (unit_ == CpuUnit::kJiffies ? hz_ : 1e9);
}

double Profile::cpu_percent(std::size_t sample) const {
  constexpr double kPeriod = 1 / kSamplesPerSecond;
  constexpr double kMaxLate = 2;  // periods; more is a pause
  const double since = sample == 0 ? kPeriod : seconds(sample) - seconds(sample - 1);
  const bool is_one_period = since > 0 && since < kMaxLate * kPeriod;
  return cpu_seconds(samples_[sample]) / (is_one_period ? since : kPeriod) * 100;
}

Totals Profile::totals() const {
  Totals totals;
  for (const Sample& sample : samples_) {
    add(totals.minor, sample.minor);
    add(totals.major, sample.major);
    totals.cpu_seconds += cpu_seconds(sample);
  }
  if (!samples_.empty()) totals.seconds = seconds(samples_.size() - 1) + 1 / kSamplesPerSecond;
  return totals;
}

bool Profile::has_doubtful_unit() const {
  constexpr double kMaxCpus = 8192;  // CONFIG_NR_CPUS of the largest kernels
  return has_clock() && samples_.size() > 1 && totals().cpu_percent() > kMaxCpus * 100;
}

}  // namespace physmem::monitor
