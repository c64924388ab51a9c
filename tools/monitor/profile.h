// SPDX-License-Identifier: MIT
// The samples of the profiler module, 20 per second, in time order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace physmem::monitor {

/// Faults and CPU time are sums over all registered processes since the previous sample.
struct Sample {
  std::int64_t jiffies = 0;  ///< time of the sample in kernel ticks
  std::int64_t minor = 0;
  std::int64_t major = 0;
  /// user and system time in jiffies, or in ns if the module was loaded with cpu=ns
  std::int64_t cpu = 0;

  friend bool operator==(const Sample&, const Sample&) = default;
};

/// The module's parameter cpu=.
enum class CpuUnit { kJiffies, kNanoseconds };

/// The sampling rate of the module. A sample's faults and CPU time cover one such period before it.
inline constexpr double kSamplesPerSecond = 20;

struct Totals {
  std::int64_t minor = 0;
  std::int64_t major = 0;
  double cpu_seconds = 0;
  double seconds = 0;  ///< from one period before the first sample to the last sample

  /// In percent of one CPU, so several processes may exceed 100.
  double cpu_percent() const { return seconds > 0 ? cpu_seconds / seconds * 100 : 0; }
};

/// Kernel ticks from one sample to a later one. Handles a wrap of 32-bit jiffies, and a change of
/// their sign, because the assignment prints them with %ld.
std::uint64_t ticks_between(const Sample& earlier, const Sample& later);

/// Sorts by jiffies. Samples after a wrap of 32-bit jiffies come last.
std::vector<Sample> in_order_of_time(std::vector<Sample> samples);

/// Infers CONFIG_HZ from the distance of the samples: they are 50 ms apart, and timers are late but
/// never early. Returns nullopt if no usual value fits or with fewer than two samples. `samples`
/// must be sorted.
std::optional<unsigned> hz_of(const std::vector<Sample>& samples);

class Profile {
 public:
  /// Without `hz`, hz_of() is used. With only one sample, any value is valid, because no time
  /// passes between samples.
  Profile(std::vector<Sample> samples, std::optional<unsigned> hz, CpuUnit unit);

  const std::vector<Sample>& samples() const { return samples_; }
  bool has_clock() const { return hz_ != 0; }
  unsigned hz() const { return hz_; }

  /// Time since the first sample. Requires a clock, as do all following functions.
  double seconds(std::size_t sample) const;
  double cpu_seconds(const Sample& sample) const;
  /// Relative to the time since the previous sample, except for pauses of the profiler.
  double cpu_percent(std::size_t sample) const;
  Totals totals() const;
  /// True if the CPU time exceeds what any machine has. The unit is then probably wrong.
  bool has_doubtful_unit() const;

 private:
  std::vector<Sample> samples_;
  unsigned hz_ = 0;
  CpuUnit unit_;
};

}  // namespace physmem::monitor
