// SPDX-License-Identifier: MIT
// A one-line progress display on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>

#include "tracer/record/event_filter.h"

namespace physmem::record {

class Progress {
 public:
  /// Shows nothing unless `is_shown`.
  Progress(std::ostream& to, bool is_shown) : to_(to), is_shown_(is_shown) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// At most twice a second.
  void show(const EventFilter& events, std::chrono::steady_clock::time_point now);

 private:
  std::ostream& to_;
  bool is_shown_;
  bool has_line_ = false;
  std::chrono::steady_clock::time_point last_{};
  std::uint64_t last_events_ = 0;
};

}  // namespace physmem::record
