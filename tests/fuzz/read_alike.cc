// SPDX-License-Identifier: MIT
// Any bytes: the reader that expects each line and each entry to look like the one before it, in each way that this
// processor has, gives the events, the error and the notes of the one that reads each by itself.
#include <cstdint>
#include <string>

#include "analyzer/parse/snapshot_reader.h"
#include "tests/fuzz/check.h"
#include "tests/unit/event_text.h"
#include "tests/unit/whole_source.h"

namespace physmem {
namespace {

struct Outcome {
  std::string events;
  std::string error;
  std::string first_problem;
  std::uint64_t dropped = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(std::string_view text, const SnapshotReader::Options& options) {
  WholeSource source(text);
  SnapshotReader reader(source, "f", options);
  EventText events;
  Outcome outcome;
  while (true) {
    const auto more = reader.next(events);
    if (!more) outcome.error = more.error().text;
    if (!more || !*more) break;
  }
  outcome.events = events.text();
  outcome.first_problem = reader.notes().first_problem;
  outcome.dropped = reader.notes().dropped_lines;
  return outcome;
}

void check(std::string_view text) {
  for (const bool keep_going : {false, true}) {
    const Outcome careful = outcome_of(text, {.keep_going = keep_going, .is_careful = true});
    for (const EntryReader& way : entry_readers())
      PHYSMEM_CHECK(outcome_of(text, {.keep_going = keep_going, .entries = way}) == careful);
  }
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
