// SPDX-License-Identifier: MIT
// Progress of the reading.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "analyzer/parse/byte_source.h"

namespace physmem {

/// A line on `messages` that is overwritten. Only shown if standard error is a terminal, and not in
/// the first second.
class ProgressLine {
 public:
  explicit ProgressLine(std::ostream& messages);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_due();
  void show(const std::string& text);
  /// Call it before other output to `messages`.
  void clear();
  /// Seconds since the construction.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& messages_;
  bool is_wanted_;
  Clock::time_point begin_;
  Clock::time_point next_;
  bool was_shown_ = false;
};

/// Passes bytes through and shows their number from time to time. If the total is known, also the
/// remaining time.
class Progress : public ByteSource {
 public:
  /// `all`: total bytes, or 0 if unknown.
  Progress(ByteSource& inner, const std::string& name, std::ostream& messages,
           std::uint64_t all = 0);

  Result<std::size_t> read(char* to, std::size_t size) override;
  void interrupt() override { inner_.interrupt(); }
  std::string_view text() const override { return inner_.text(); }
  void release(std::uint64_t offset) override;
  PredecodedRuns* predecoded_runs() override { return inner_.predecoded_runs(); }
  Status state() const override { return inner_.state(); }

 private:
  void count(std::uint64_t bytes);

  ByteSource& inner_;
  std::string name_;
  ProgressLine line_;
  std::uint64_t all_;
  std::uint64_t bytes_ = 0;
};

/// Progress over many files: count, speed and remaining time.
class FleetProgress {
 public:
  FleetProgress(std::size_t files, std::uint64_t bytes, std::ostream& messages)
      : files_(files), bytes_(bytes), line_(messages) {}

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
