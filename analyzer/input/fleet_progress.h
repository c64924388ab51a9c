// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/progress_line.h"

namespace physmem {

/// Progress over many files: count, speed and remaining time.
class FleetProgress {
 public:
  FleetProgress(std::size_t files, std::uint64_t bytes) : files_(files), bytes_(bytes) {}

  void add_file(std::uint64_t bytes);
  void add_snapshot() { ++snapshots_done_; }
  void show_if_due();
  void clear() { line_.clear(); }

 private:
  std::size_t files_;
  std::uint64_t bytes_;  ///< of all files, on the disk
  std::size_t files_done_ = 0;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t snapshots_done_ = 0;
  ProgressLine line_;
};

/// "1000 of 4000 files, 1003 snapshots, 83 MiB/s, 100.3 snapshots/s, 0:30 left". The time left
/// is omitted until a file was read completely.
std::string fleet_progress_text(std::size_t files_done, std::size_t files, std::uint64_t bytes_done,
                                std::uint64_t bytes, std::uint64_t snapshots, double seconds);

}  // namespace physmem
