// SPDX-License-Identifier: MIT
// --track: the number of user space pages, from one version of the software to the next (I27).
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analyzer/analyze/page_count.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/printer.h"
#include "program/result.h"

namespace physmem {

/// One line of the file: what was counted once.
struct TrackEntry {
  std::string label;
  std::string time;  ///< of the snapshot, UTC
  std::string kernel;
  std::uint64_t pages = 0;
  std::uint64_t page_size = 0;  ///< bytes
};

/// The entries of a file that --track wrote, by libcsv. A missing file has none.
Result<std::vector<TrackEntry>> read_track(const std::string& path);
/// The entries of such a file's text; `path` is for errors.
Result<std::vector<TrackEntry>> parse_track(const std::string& text, const std::string& path);
/// The text of such a file.
void print_track(std::ostream& out, const std::vector<TrackEntry>& entries);

class Track {
 public:
  explicit Track(const Options& options) : options_(options) {}

  bool is_wanted() const { return !options_.track_file.empty(); }
  Analysis& analysis() { return count_; }
  /// Appends to the file (which appears whole or stays as it was) and shows all of it with the
  /// change of each line. Runs that append to files in one folder at the same time take turns.
  Status answer(Printer& printer, const View& view);

 private:
  const Options& options_;
  PageCount count_;
};

}  // namespace physmem
