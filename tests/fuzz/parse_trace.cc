// SPDX-License-Identifier: MIT
// Any bytes: the events of a trace, or an error that says where; the same whatever the pieces in
// which the bytes come; what was read can be written in each form, and read again.
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

/// The header before all else, and then only when areas have changed.
struct Told : PagingSink {
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
  bool operator==(const Told& other) const {
    return headers == other.headers && events == other.events && losses == other.losses;
  }
  std::vector<TraceHeader> headers;
  std::vector<PagingEvent> events;
  std::vector<LostEvents> losses;
};

struct Outcome {
  Told told;
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
    const auto more = reader.next(outcome.told);
    if (!more) outcome.error = more.error().text;
    if (!more || !*more) break;
  }
  outcome.dropped = reader.notes().dropped_lines;
  outcome.is_truncated = reader.notes().is_truncated;
  return outcome;
}

void play(const Told& told, PagingSink& sink) {
  if (!told.headers.empty()) sink.on_header(told.headers.front());
  for (const PagingEvent& event : told.events) sink.on_event(event);
  for (const LostEvents& lost : told.losses) sink.on_lost(lost);
}

std::string written(const Told& told, std::unique_ptr<TraceWriter> (*make)(std::ostream&)) {
  std::ostringstream out;
  const auto writer = make(out);
  play(told, *writer);
  writer->end();
  return out.str();
}

/// A form that is written from what was read says the same.
void check_form(const Told& told, std::unique_ptr<TraceWriter> (*make)(std::ostream&)) {
  const Outcome again = outcome_of(written(told, make), 1 << 20, false);
  PHYSMEM_CHECK(again.error.empty());
  PHYSMEM_CHECK(again.told.events == told.events && again.told.losses == told.losses);
}

void check_order(const Told& told) {
  Told sorted;
  EventOrder order(sorted, 16);
  play(told, order);
  order.flush();
  PHYSMEM_CHECK(sorted.events.size() == told.events.size());
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
  if (kept.told.headers.empty()) return;
  check_form(kept.told, text_trace_writer);
  check_form(kept.told, binary_trace_writer);
  check_order(kept.told);
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
