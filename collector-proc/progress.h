// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace physmem::collect {

/// A progress line on standard error, which is erased at the end. Prints nothing unless standard
/// error is a terminal and the snapshot is not written to it.
class Progress {
 public:
  explicit Progress(bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Begins snapshot n of count. For count 1 the number is not shown; count 0 means that the total
  /// is unknown.
  void begin_snapshot(std::uint64_t n, std::uint64_t count);
  void at(std::size_t process, std::size_t processes);
  /// Shows the time until the next snapshot. Returns for how many ns the text is valid.
  std::uint64_t waiting(std::uint64_t left_ns);

 private:
  void show(const std::string& text);

  bool is_on_;
  std::string snapshot_;
  std::uint64_t next_ns_ = 0;
};

}  // namespace physmem::collect
