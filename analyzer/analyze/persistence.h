// SPDX-License-Identifier: MIT
// A condition that has to last before it counts, and has to stay away before it counts no more.
#pragma once

#include <deque>

namespace physmem {

/// Windows of any length are given one after the other. The state is entered when `enter` held for
/// `hold` of the last `span` seconds, and left when the milder condition `stay` did not hold for
/// `leave` seconds without a break.
///
/// A window that is longer than `span` counts as all of it. What was before the first window counts
/// as false.
class Persistence {
 public:
  struct Times {
    double span = 5;    ///< s
    double hold = 2.5;  ///< s, of the span
    double leave = 10;  ///< s
  };

  Persistence() = default;
  explicit Persistence(Times times) : times_(times) {}

  /// A window of so many seconds. `enter` implies `stay`.
  void add(double seconds, bool enter, bool stay);
  bool is_active() const { return is_active_; }
  /// Seconds of the last span in which `enter` held.
  double held() const { return held_; }
  double span() const { return times_.span; }
  /// Not active any more, nothing remembered.
  void reset();

 private:
  struct Window {
    double seconds = 0;
    bool enter = false;
  };

  Times times_;
  std::deque<Window> windows_;  ///< the last ones, as many as the span takes
  double held_ = 0;
  double away_ = 0;  ///< s since `stay` held last
  bool is_active_ = false;
};

}  // namespace physmem
