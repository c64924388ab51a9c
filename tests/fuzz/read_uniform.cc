// SPDX-License-Identifier: MIT
// For any bytes, each fast path for uniform entries that this CPU supports gives the events,
// the error and the notes of the strict path. So do the predecoded runs of the compact form. Inputs
// of odd length are read with keep_going.
#include <cstdint>
#include <string>

#include "analyzer/parse/decoded_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "formats/compact/encoder.h"
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

Outcome outcome_of(ByteSource& source, const SnapshotReader::Options& options) {
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

std::string compact_of(std::string_view text) {
  compact::Encoder encoder;
  std::string out;
  encoder.write(text, out);
  encoder.finish(out);
  return out;
}

void check(std::string_view text) {
  const bool keep_going = text.size() % 2 == 1;
  WholeSource source(text);
  const Outcome strict = outcome_of(source, {.keep_going = keep_going, .is_strict = true});
  for (const EntryReader& reader : entry_readers())
    PHYSMEM_CHECK(outcome_of(source, {.keep_going = keep_going, .entries = reader}) == strict);
  const std::string compact = compact_of(text);
  const auto runs = decoded(text_source(compact), "f");
  PHYSMEM_CHECK(outcome_of(**runs, {.keep_going = keep_going}) == strict);
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
