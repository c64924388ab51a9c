// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace physmem {

/// What the reader skipped. All zero if the file was complete and every byte was used.
struct TraceNotes {
  std::uint64_t unknown_records = 0;  ///< lines with an unknown letter
  std::uint64_t other_lines = 0;      ///< in a log: lines without a record
  /// Under keep_going: malformed lines, and totals that do not match the records.
  std::uint64_t dropped_lines = 0;
  bool is_truncated = false;  ///< under keep_going: the end is missing
  /// The message for the first dropped line, or for the missing end.
  std::string first_problem = {};

  bool data_is_missing() const { return dropped_lines != 0 || is_truncated; }
};

}  // namespace physmem
