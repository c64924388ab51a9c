// SPDX-License-Identifier: MIT
// Any bytes give events in their order, or an error with its position, and the same in pieces of
// any size. With keep_going the only errors are about the header or a file that is not a snapshot.
#include <algorithm>
#include <cstdint>

#include "analyzer/parse/snapshot_reader.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/pieces.h"
#include "tests/unit/event_text.h"

namespace physmem {
namespace {

/// Checks the order: one header comes first, one end comes last, and no record of a VMA comes
/// before its `V:`.
class OrderedEvents : public EventText {
 public:
  void on_header(const Header& header) override {
    PHYSMEM_CHECK(!in_snapshot);
    in_snapshot = true;
    has_task_ = has_area_ = false;
    EventText::on_header(header);
  }
  void on_counters(std::span<const Counter> counters) override {
    PHYSMEM_CHECK(in_snapshot);
    EventText::on_counters(counters);
  }
  void on_task(Task&& task) override {
    PHYSMEM_CHECK(in_snapshot);
    has_task_ = true;
    has_area_ = false;
    EventText::on_task(std::move(task));
  }
  void on_vma(Vma&& vma) override {
    PHYSMEM_CHECK(has_task_ && vma.start <= vma.last);
    has_area_ = true;
    start_ = vma.start;
    last_ = vma.last;
    EventText::on_vma(std::move(vma));
  }
  void on_counts(const PageCounts& counts) override {
    PHYSMEM_CHECK(has_area_);
    EventText::on_counts(counts);
  }
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
    PHYSMEM_CHECK(has_area_ && !runs.empty() && runs.size() <= PageBatch::kCapacity);
    std::optional<std::uint64_t> before;
    for_each_page(runs, page_bytes(), [&](const PageRun& page) {
      PHYSMEM_CHECK(page.va >= start_ && page.va <= last_ && (!before || page.va > *before));
      before = page.va;
    });
    EventText::on_pages(runs, sums);
  }
  void on_swapped(std::span<const SwapEntry> entries) override {
    PHYSMEM_CHECK(has_area_);
    EventText::on_swapped(entries);
  }
  void on_end(const SnapshotEnd& end) override {
    PHYSMEM_CHECK(in_snapshot);
    in_snapshot = false;
    EventText::on_end(end);
  }
  bool in_snapshot = false;

 private:
  bool has_task_ = false;
  bool has_area_ = false;
  std::uint64_t start_ = 0;
  std::uint64_t last_ = 0;
};

struct Outcome {
  std::string events;
  std::string error;
  std::string first_problem;
  std::uint64_t dropped = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(std::string_view text, std::size_t piece, bool keep_going) {
  Pieces source(text, piece);
  SnapshotReader reader(source, "f", {keep_going});
  OrderedEvents events;
  Outcome outcome;
  while (true) {
    const auto more = reader.next(events);
    if (!more) outcome.error = more.error().text;
    PHYSMEM_CHECK(!more || !events.in_snapshot);
    if (!more || !*more) break;
  }
  outcome.events = events.text();
  outcome.first_problem = reader.notes().first_problem;
  outcome.dropped = reader.notes().dropped_lines;
  return outcome;
}

/// Whether the error is "f:LINE:COLUMN: …", or reports that the file is empty.
bool has_position(const std::string& error) {
  return error == "f: is empty, expected a snapshot" ||
         (error.starts_with("f:") && error[2] >= '1' && error[2] <= '9');
}

void check(std::string_view text) {
  const Outcome whole = outcome_of(text, text.size() + 1, false);
  PHYSMEM_CHECK(whole.error.empty() || has_position(whole.error));
  const Outcome kept = outcome_of(text, text.size() + 1, true);
  // One of the two is repeated in pieces; repeating both would take half of the time.
  const bool keep_going = text.size() % 2 == 1;
  PHYSMEM_CHECK((keep_going ? kept : whole) == outcome_of(text, 1 + text.size() % 13, keep_going));
  const bool may_fail = kept.error.empty() || kept.error.find(": H: ") != std::string::npos ||
                        kept.error.find("expected a snapshot") != std::string::npos ||
                        kept.error.find("expected another snapshot") != std::string::npos ||
                        kept.error.find("the line is longer") != std::string::npos ||
                        kept.error.find(":1:") != std::string::npos;  // a cut header
  PHYSMEM_CHECK(may_fail);
  if (whole.error.empty()) PHYSMEM_CHECK(kept.events == whole.events);
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
