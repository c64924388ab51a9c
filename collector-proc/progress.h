// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/progress_line.h"

namespace physmem::collect {

/// A progress line, unless the snapshot is written to the same terminal.
class Progress {
 public:
  explicit Progress(bool is_wanted);
  /// Begins snapshot n of count. For count 1 the number is not shown; count 0 means that the total
  /// is unknown.
  void begin_snapshot(std::uint64_t n, std::uint64_t count);
  void at(std::size_t process, std::size_t processes);
  /// Shows the time until the next snapshot. Returns for how many ns the text is valid.
  std::uint64_t waiting(std::uint64_t left_ns);
  /// Call it before other output to standard error.
  void clear() { line_.clear(); }

 private:
  void show(const std::string& text);

  ProgressLine line_;
  std::string snapshot_;
};

}  // namespace physmem::collect
