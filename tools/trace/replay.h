// SPDX-License-Identifier: MIT
// A trace file as a source. It requires the analyzer's libraries; a program for a guest is built
// without them (no_replay.cc).
#pragma once

#include <memory>
#include <string>

#include "paging/source/event_source.h"
#include "program/result.h"

namespace physmem::record {

/// A replayed trace file, and notes about its skipped parts.
struct Replay {
  std::unique_ptr<EventSource> source;
  /// Sentences about missing data and about skipped lines.
  struct Notes {
    std::string missing;
    std::string skipped;
  };
  Notes (*notes)(const EventSource& source);
};

Result<Replay> open_replay(const std::string& file, double speed, bool keep_going);

}  // namespace physmem::record
