// SPDX-License-Identifier: MIT
// --track: the number of user space pages over versions of the software (I27).
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analyzer/analyze/process/page_count.h"
#include "analyzer/cli/printer.h"
#include "analyzer/input/options.h"
#include "program/result.h"

namespace physmem {

/// One line of the file: one measurement.
struct TrackEntry {
  std::string label;
  std::string time;  ///< of the snapshot, UTC
  std::string kernel;
  std::uint64_t pages = 0;
  std::uint64_t page_size = 0;  ///< bytes
};

/// Reads the entries of a file written by --track. A missing file has no entries.
Result<std::vector<TrackEntry>> read_track(const std::string& path);
/// Parses the text of such a file. `path` is for error messages.
Result<std::vector<TrackEntry>> parse_track(const std::string& text, const std::string& path);
/// Writes the text of such a file.
void print_track(std::ostream& out, const std::vector<TrackEntry>& entries);

class Track {
 public:
  explicit Track(const Options& options) : options_(options) {}

  bool is_wanted() const { return !options_.track_file.empty(); }
  Analysis& analysis() { return count_; }
  /// Appends to the file, which is replaced atomically, and prints all entries with their changes.
  /// Runs that append to files in one folder at the same time take turns.
  Status answer(Printer& printer, const View& view);

 private:
  const Options& options_;
  PageCount count_;
};

}  // namespace physmem
