// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "collector-proc/schedule.h"

namespace physmem::top {

/// When samples are taken, if the user may change the interval while one is waited for. Times are
/// nanoseconds of a monotonic clock.
class SampleTimes {
 public:
  /// The first sample is taken now.
  explicit SampleTimes(std::uint64_t now_ns) : last_ns_(now_ns) {}

  /// The next sample, after the last one was shown. Those that are already missed are left out.
  std::uint64_t next(std::uint64_t now_ns, std::uint64_t interval_ns) const {
    collect::Schedule schedule(last_ns_, interval_ns);
    schedule.advance(now_ns);
    return schedule.deadline_ns();
  }
  /// The same after the interval has changed. It applies at once.
  std::uint64_t next_changed(std::uint64_t now_ns, std::uint64_t interval_ns) const {
    return std::max(last_ns_ + interval_ns, now_ns);
  }
  /// The time came.
  void take(std::uint64_t planned_ns) { last_ns_ = planned_ns; }

 private:
  std::uint64_t last_ns_;  ///< planned time of the last sample
};

}  // namespace physmem::top
