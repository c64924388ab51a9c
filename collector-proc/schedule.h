// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace physmem::collect {

/// Start times of the snapshots of a series: at its start and after every interval, on a monotonic
/// clock. A deadline is computed from the previous deadline, so a delay does not delay later ones.
class Schedule {
 public:
  Schedule(std::uint64_t start_ns, std::uint64_t interval_ns)
      : deadline_ns_(start_ns), interval_ns_(interval_ns) {}

  std::uint64_t deadline_ns() const { return deadline_ns_; }

  /// Advances to the next deadline after now_ns. Returns the number of missed deadlines.
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
