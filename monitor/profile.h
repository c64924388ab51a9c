// SPDX-License-Identifier: MIT
// What the profiler module counts, twenty times a second, in the order of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace physmem::profile {

/// Faults and CPU time are those since the sample before, of all registered processes together.
struct Sample {
  std::int64_t jiffies = 0;  ///< when it was taken, in kernel ticks
  std::int64_t minor = 0;
  std::int64_t major = 0;
  std::int64_t cpu = 0;  ///< user and system; jiffies, or ns when the module was told so

  friend bool operator==(const Sample&, const Sample&) = default;
};

/// What the module's parameter cpu= says.
enum class CpuUnit { kJiffies, kNanoseconds };

/// The module's promise. One sample's faults and CPU time belong to this long a time before it.
inline constexpr double kSamplesPerSecond = 20;

struct Totals {
  std::int64_t minor = 0;
  std::int64_t major = 0;
  double cpu_seconds = 0;
  double seconds = 0;  ///< from a sample's time before the first sample to the last one

  /// Of one CPU; several processes may use more than 100.
  double cpu_percent() const { return seconds > 0 ? cpu_seconds / seconds * 100 : 0; }
};

/// Kernel ticks from one sample to a later one, also where the 32-bit jiffies of a small machine
/// began anew in between (or changed their sign: the assignment prints them with %ld).
std::uint64_t ticks_between(const Sample& earlier, const Sample& later);

/// Ascending by jiffies; samples behind the place where 32-bit jiffies began anew come last.
std::vector<Sample> in_order_of_time(std::vector<Sample> samples);

/// CONFIG_HZ, by the distance of the samples: they are 50 ms apart, and timers are late but never
/// early. Nothing when no usual value fits, or with less than two samples. `samples` are in order.
std::optional<unsigned> hz_of(const std::vector<Sample>& samples);

class Profile {
 public:
  /// `hz`: nothing to find it by hz_of(). With one sample there is no time between samples, and any
  /// will do.
  Profile(std::vector<Sample> samples, std::optional<unsigned> hz, CpuUnit unit);

  const std::vector<Sample>& samples() const { return samples_; }
  bool has_clock() const { return hz_ != 0; }
  unsigned hz() const { return hz_; }

  /// Since the first sample. Needs a clock, as all that follows.
  double seconds(std::size_t sample) const;
  double cpu_seconds(const Sample& sample) const;
  /// Since the sample before, at most; a pause of the profiler belongs to no sample.
  double cpu_percent(std::size_t sample) const;
  Totals totals() const;
  /// More CPU time than any machine has: the other unit, most likely.
  bool has_doubtful_unit() const;

 private:
  std::vector<Sample> samples_;
  unsigned hz_ = 0;
  CpuUnit unit_;
};

}  // namespace physmem::profile
