// SPDX-License-Identifier: MIT
// Hysteresis: a condition must last before a state is entered, and be absent for some time before
// it is left.
#pragma once

#include <deque>

namespace physmem {

/// Receives windows of any length in order. The state is entered when `enter` held for `hold` of
/// the last `span` seconds. It is left when the weaker condition `stay` did not hold for `leave`
/// consecutive seconds, or for `over` seconds in which nothing was left of it.
///
/// A window longer than `span` counts as the whole span. Before the first window, both conditions
/// are false.
class Persistence {
 public:
  struct Times {
    double span = 5;    ///< s
    double hold = 2.5;  ///< s, of the span
    double leave = 10;  ///< s
    double over = 4;    ///< s
  };

  Persistence() = default;
  explicit Persistence(Times times) : times_(times) {}

  /// Adds a window. `enter` implies `stay`, which excludes `over`.
  void add(double seconds, bool enter, bool stay, bool over = false);
  bool is_active() const { return is_active_; }
  /// Seconds of the last span in which `enter` held.
  double held() const { return held_; }
  double span() const { return times_.span; }
  /// Leaves the state and clears all windows.
  void reset();

 private:
  struct Window {
    double seconds = 0;
    bool enter = false;
  };

  Times times_;
  std::deque<Window> windows_;  ///< the last ones that cover the span
  double held_ = 0;
  double away_ = 0;  ///< s since `stay` last held
  double over_ = 0;  ///< s for which `over` has held
  bool is_active_ = false;
};

}  // namespace physmem
