// SPDX-License-Identifier: MIT
// A one-line progress display on a terminal.
#pragma once

#include <chrono>
#include <cstdint>

#include "program/progress_line.h"
#include "tools/trace/event_filter.h"

namespace physmem::record {

class Progress {
 public:
  /// Shows nothing unless `is_shown`.
  explicit Progress(bool is_shown);

  /// At most twice per second.
  void show(const EventFilter& events, std::chrono::steady_clock::time_point now);

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point last_;
  std::uint64_t last_events_ = 0;
};

}  // namespace physmem::record
