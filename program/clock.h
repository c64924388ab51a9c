// SPDX-License-Identifier: MIT
// Monotonic time, and waiting for it.
#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>

namespace physmem {

enum class Woken { kDeadline, kSignal, kFile };

/// The source of time, and the only way to wait. Programs use system_clock(); tests use a clock of
/// their own, in which waiting takes no time.
class Clock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~Clock() = default;

  /// CLOCK_MONOTONIC. Suspended time is not counted.
  virtual std::uint64_t now_ns() const = 0;
  /// Sleeps until the deadline, until one of the signals of program/signals.h arrives (or has
  /// arrived before), or until one of the files is ready; then its revents are set. Negative
  /// descriptors are ignored.
  virtual Woken wait_until(std::uint64_t deadline_ns, std::span<pollfd> files) = 0;

  /// The same with a duration. Does not sleep if it is negative.
  Woken wait_for(std::chrono::nanoseconds time, std::span<pollfd> files) {
    return wait_until(
        now_ns() + static_cast<std::uint64_t>(std::max(time.count(), std::int64_t{0})), files);
  }
  /// now_ns() as a time point of std::chrono::steady_clock.
  TimePoint now() const { return TimePoint(std::chrono::nanoseconds(now_ns())); }
};

/// The kernel's clock. Any number of threads may use it.
Clock& system_clock();

}  // namespace physmem
