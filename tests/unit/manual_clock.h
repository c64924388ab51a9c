// SPDX-License-Identifier: MIT
// A clock that only tests advance.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "program/clock.h"
#include "program/signals.h"

namespace physmem {

inline constexpr std::uint64_t kMs = 1'000'000;  ///< ns

/// A wait takes no real time. It advances this clock to the deadline. An action that is scheduled
/// before the deadline runs at its time, in the waiting thread. If the action makes a file ready or
/// raises a signal, the wait ends at that time.
///
/// Any thread may call advance() and now_ns(); only one thread may call the other functions.
class ManualClock final : public Clock {
 public:
  std::uint64_t now_ns() const override { return now_ns_; }
  /// Time since the construction of the clock.
  std::chrono::nanoseconds elapsed() const { return std::chrono::nanoseconds(now_ns_ - kStart); }

  void advance(std::chrono::nanoseconds time) {
    now_ns_ += static_cast<std::uint64_t>(time.count());
  }
  /// Runs `action` when a wait reaches that time.
  void at(std::chrono::nanoseconds elapsed, std::function<void()> action) {
    actions_.emplace(kStart + static_cast<std::uint64_t>(elapsed.count()), std::move(action));
  }

  Woken wait_until(std::uint64_t deadline_ns, std::span<pollfd> files) override {
    ++waits_;
    for (;;) {
      if (interrupted()) return Woken::kSignal;
      if (::poll(files.data(), files.size(), 0) > 0) return Woken::kFile;
      if (actions_.empty() || actions_.begin()->first > deadline_ns) break;
      auto next = actions_.extract(actions_.begin());
      now_ns_ = std::max(now_ns_.load(), next.key());
      next.mapped()();
    }
    now_ns_ = std::max(now_ns_.load(), deadline_ns);
    return Woken::kDeadline;
  }
  /// The number of calls of wait_until().
  int waits() const { return waits_; }

 private:
  static constexpr std::uint64_t kStart = 1'000'000'000'000;

  std::atomic<std::uint64_t> now_ns_ = kStart;
  std::multimap<std::uint64_t, std::function<void()>> actions_;
  int waits_ = 0;
};

}  // namespace physmem
