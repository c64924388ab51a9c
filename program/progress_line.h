// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace physmem {

/// A line on standard error that is overwritten, and erased at the end. Shown only on a terminal
/// that can erase it.
class ProgressLine {
 public:
  using Milliseconds = std::chrono::milliseconds;
  /// delay: before the first line; interval: between two lines.
  explicit ProgressLine(bool is_wanted = true, Milliseconds delay = Milliseconds(1000),
                        Milliseconds interval = Milliseconds(200));
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_wanted() const { return is_wanted_; }
  bool is_due() const;
  /// Prints at once, whether due or not.
  void show(const std::string& text);
  /// Call it before other output to standard error.
  void clear();
  /// Erases it, and shows no other.
  void stop() {
    clear();
    is_wanted_ = false;
  }
  /// Seconds since the construction.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool is_wanted_;
  Milliseconds interval_;
  Clock::time_point begin_;
  Clock::time_point next_;
  bool is_shown_ = false;
};

}  // namespace physmem
