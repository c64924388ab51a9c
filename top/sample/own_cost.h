// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace physmem::top {

/// CPU time of a program as a fraction of one core, over the last ten seconds.
class OwnCost {
 public:
  static constexpr std::uint64_t kWindowNs = 10'000'000'000;

  /// `cpu_ns`: CPU time of the program so far.
  void add(std::uint64_t time_ns, std::uint64_t cpu_ns) {
    points_.push_back({time_ns, cpu_ns});
    while (points_.size() > 2 && points_[1].time_ns + kWindowNs <= time_ns) points_.pop_front();
  }
  /// Nothing before the second point.
  std::optional<double> share() const {
    if (points_.size() < 2 || points_.back().time_ns <= points_.front().time_ns)
      return std::nullopt;
    return static_cast<double>(points_.back().cpu_ns - points_.front().cpu_ns) /
           static_cast<double>(points_.back().time_ns - points_.front().time_ns);
  }

 private:
  struct Point {
    std::uint64_t time_ns = 0;
    std::uint64_t cpu_ns = 0;
  };
  std::deque<Point> points_;
};

}  // namespace physmem::top
