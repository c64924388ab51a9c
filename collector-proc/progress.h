// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace physmem::collect {

/// One line on standard error that says how far we are; wiped away at the end. Silent unless
/// standard error is a terminal and the snapshot does not go to it.
class Progress {
 public:
  explicit Progress(bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Snapshot n of count; of one alone nothing is said, of a count of 0 not how many there will be.
  void begin_snapshot(std::uint64_t n, std::uint64_t count);
  void at(std::size_t process, std::size_t processes);
  /// Until the next snapshot. Returns for how many ns what it says holds.
  std::uint64_t waiting(std::uint64_t left_ns);

 private:
  void show(const std::string& text);

  bool is_on_;
  std::string snapshot_;
  std::uint64_t next_ns_ = 0;
};

}  // namespace physmem::collect
