// SPDX-License-Identifier: MIT
// Any bytes give the events of a trace, or an error with its position, and the same in pieces of
// any size. The events can be written in each form and read again.
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "paging/parse/event_order.h"
#include "paging/parse/trace_reader.h"
#include "paging/write/trace_writer.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/pieces.h"

namespace physmem {
namespace {

/// Checks that the header comes first, and again only when swap areas have changed.
struct RecordedTrace : PagingSink {
  void on_header(const TraceHeader& header) override {
    if (!headers.empty()) PHYSMEM_CHECK(header.arch == headers.front().arch);
    headers.push_back(header);
  }
  void on_event(const PagingEvent& event) override {
    PHYSMEM_CHECK(!headers.empty());
    PHYSMEM_CHECK(event.comm.size() < PM_PAGING_COMM);
    events.push_back(event);
  }
  void on_lost(const LostEvents& lost) override {
    PHYSMEM_CHECK(!headers.empty());
    losses.push_back(lost);
  }
  bool operator==(const RecordedTrace& other) const {
    return headers == other.headers && events == other.events && losses == other.losses;
  }
  std::vector<TraceHeader> headers;
  std::vector<PagingEvent> events;
  std::vector<LostEvents> losses;
};

struct Outcome {
  RecordedTrace recorded;
  std::string error;
  std::uint64_t dropped = 0;
  bool is_truncated = false;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(std::string_view text, std::size_t piece, bool keep_going) {
  Pieces source(text, piece);
  TraceReader reader(source, "f", {keep_going});
  Outcome outcome;
  while (true) {
    const auto more = reader.next(outcome.recorded);
    if (!more) outcome.error = more.error().text;
    if (!more || !*more) break;
  }
  outcome.dropped = reader.notes().dropped_lines;
  outcome.is_truncated = reader.notes().is_truncated;
  return outcome;
}

void play(const RecordedTrace& recorded, PagingSink& sink) {
  if (!recorded.headers.empty()) sink.on_header(recorded.headers.front());
  for (const PagingEvent& event : recorded.events) sink.on_event(event);
  for (const LostEvents& lost : recorded.losses) sink.on_lost(lost);
}

std::string written(const RecordedTrace& recorded,
                    std::unique_ptr<TraceWriter> (*make)(std::ostream&)) {
  std::ostringstream out;
  const auto writer = make(out);
  play(recorded, *writer);
  writer->end();
  return out.str();
}

/// A trace that is written in this form and read again is the same.
void check_form(const RecordedTrace& recorded,
                std::unique_ptr<TraceWriter> (*make)(std::ostream&)) {
  const Outcome again = outcome_of(written(recorded, make), 1 << 20, false);
  PHYSMEM_CHECK(again.error.empty());
  PHYSMEM_CHECK(again.recorded.events == recorded.events &&
                again.recorded.losses == recorded.losses);
}

void check_order(const RecordedTrace& recorded) {
  RecordedTrace sorted;
  EventOrder order(sorted, 16);
  play(recorded, order);
  order.flush();
  PHYSMEM_CHECK(sorted.events.size() == recorded.events.size());
}

void check(std::string_view text) {
  const Outcome whole = outcome_of(text, text.size() + 1, false);
  PHYSMEM_CHECK(whole == outcome_of(text, 1 + text.size() % 13, false));
  PHYSMEM_CHECK(whole.error.empty() || whole.error.starts_with("f:"));
  const Outcome kept = outcome_of(text, text.size() + 1, true);
  PHYSMEM_CHECK(kept == outcome_of(text, 1, true));
  if (whole.error.empty()) PHYSMEM_CHECK(kept == whole);
  if (kept.error.empty())
    PHYSMEM_CHECK(whole.error.empty() == (kept.dropped == 0 && !kept.is_truncated));
  if (kept.recorded.headers.empty()) return;
  check_form(kept.recorded, text_trace_writer);
  check_form(kept.recorded, binary_trace_writer);
  check_order(kept.recorded);
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
