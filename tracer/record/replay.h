// SPDX-License-Identifier: MIT
// A trace file as a source. It needs the analyzer's libraries; a guest's program is built without
// them (no_replay.cc).
#pragma once

#include <memory>
#include <string>

#include "program/result.h"
#include "tracer/source/event_source.h"

namespace physmem::record {

/// A trace file that is played, and what was passed over in it.
struct Replay {
  std::unique_ptr<EventSource> source;
  /// Sentences: what is missing in the file, and what was only skipped.
  struct Notes {
    std::string missing;
    std::string skipped;
  };
  Notes (*notes)(const EventSource& source);
};

Result<Replay> open_replay(const std::string& file, double speed, bool keep_going);

}  // namespace physmem::record
