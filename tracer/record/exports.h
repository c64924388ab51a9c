// SPDX-License-Identifier: MIT
// What needs the analyzer's libraries: reading traces and snapshots, and the forms for other programs. A guest's program is built
// without (no_exports.cc).
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "analyzer/model/result.h"
#include "tracer/record/form.h"
#include "tracer/source/event_source.h"

namespace physmem {
class FrameOwner;
}

namespace physmem::record {

bool has_exports();

/// Of a form that is not one of the three of traces themselves.
std::unique_ptr<TraceWriter> make_export(Form form, std::ostream& out, const CsvStyle& csv);

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

/// Tells `owners` whose the frames of a snapshot are.
Status read_owners(const std::string& snapshot, FrameOwner& owners);

}  // namespace physmem::record
