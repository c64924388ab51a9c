// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace physmem::collect {

/// When the snapshots of a series begin: at its start and every interval after it, on a clock that
/// never goes back. A deadline is reckoned from the one before, so that being late once makes no
/// later one late.
class Schedule {
 public:
  Schedule(std::uint64_t start_ns, std::uint64_t interval_ns)
      : deadline_ns_(start_ns), interval_ns_(interval_ns) {}

  std::uint64_t deadline_ns() const { return deadline_ns_; }

  /// To the next deadline that is not yet over at now_ns. Returns how many were.
  std::uint64_t advance(std::uint64_t now_ns) {
    deadline_ns_ += interval_ns_;
    if (deadline_ns_ >= now_ns) return 0;
    const std::uint64_t passed = (now_ns - deadline_ns_ + interval_ns_ - 1) / interval_ns_;
    deadline_ns_ += passed * interval_ns_;
    return passed;
  }

 private:
  std::uint64_t deadline_ns_;
  std::uint64_t interval_ns_;
};

}  // namespace physmem::collect
