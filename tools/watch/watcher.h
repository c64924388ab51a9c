// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>

#include "program/clock.h"
#include "program/duration.h"
#include "program/errors.h"
#include "tools/watch/pressure_wait.h"
#include "tools/watch/reclaim_activity.h"
#include "tools/watch/sample_sink.h"
#include "tools/watch/sampler.h"

namespace physmem::watch {

/// When to sample, and when to end.
struct Plan {
  std::uint64_t interval_ns = kSecondNs;
  // Time without reclaim after which it waits for pressure again.
  std::uint64_t quiet_ns = 15 * kSecondNs;
  bool is_always_awake = false;
  // 0: no bound. If always awake, the first sample is not counted, because it has no line.
  std::uint64_t max_samples = 0;
  std::uint64_t max_ns = 0;  // 0: no bound
};

/// Waits for pressure, samples while there is reclaim, and waits again.
class Watcher {
 public:
  Watcher(const Plan& plan, SampleSource& source, PressureWait& pressure, SampleSink& sink,
          std::ostream& out, Clock& clock = system_clock());

  /// Runs until a bound of the plan or a signal. An error if a sample cannot be taken or the output
  /// cannot be written.
  Status run();

  /// Samples that were due while another was being taken.
  std::uint64_t skipped() const { return skipped_; }

 private:
  Status sample_until_quiet();
  Status sample();
  bool is_over() const;

  Plan plan_;
  SampleSource& source_;
  PressureWait& pressure_;
  SampleSink& sink_;
  std::ostream& out_;
  Clock& clock_;
  ReclaimActivity activity_;
  std::uint64_t end_ns_;
  std::uint64_t samples_ = 0;
  bool has_first_ = false;
  std::uint64_t skipped_ = 0;
};

}  // namespace physmem::watch
