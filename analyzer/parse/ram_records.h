// SPDX-License-Identifier: MIT
// Reads the records of the whole of RAM, Z:, O: and R:, and checks what the format guarantees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/parse/events.h"
#include "analyzer/parse/line_cursor.h"

namespace physmem {

/// The records of one snapshot. Zones come first. Owners have ascending ids and come before their
/// runs. Runs ascend and do not overlap. The counters ram.* are the sums.
class RamRecords {
 public:
  /// Parses the line of `cursor`, whose letter is Z, O or R, and passes it on. A flaw is left in
  /// the cursor; then the line is not passed on.
  void read(char letter, LineCursor& cursor, Events& events);
  /// Takes note of the sums that the snapshot states.
  void on_counter(const Counter& counter);
  /// Empty if the stated sums equal the sums of the records that were read.
  std::string mismatch() const;

 private:
  struct Sums {
    std::uint64_t zones = 0;
    std::uint64_t runs = 0;
    std::uint64_t frames = 0;
    std::uint64_t owners = 0;
  };
  void owner(LineCursor& cursor, Events& events);
  void run(LineCursor& cursor, Events& events);

  Sums seen_;
  std::optional<std::uint64_t> stated_runs_, stated_frames_, stated_owners_;
  std::uint64_t last_owner_ = 0;
  std::uint64_t end_ = 0;  ///< after the last run
};

}  // namespace physmem
