// SPDX-License-Identifier: MIT
// M:, S: and F: entries, combined into runs where possible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace physmem {

/// Resident pages of one area that are adjacent in virtual memory and in RAM, with the same use
/// count and flags. Typical runs have some ten pages, or 512 for huge pages. Most analyses work per
/// run, not per page.
struct PageRun {
  std::uint64_t va = 0;     ///< of the first page
  std::uint64_t value = 0;  ///< its page-table value: physical address and, with pte=raw, its bits
  std::uint64_t pages = 0;
  std::uint64_t count = 0;  ///< use count of each page
  std::uint64_t flags = 0;

  /// Address of the page after the last. Wraps at 2^64.
  std::uint64_t end_va(std::uint64_t page_bytes) const { return va + pages * page_bytes; }
  std::uint64_t end_value(std::uint64_t page_bytes) const { return value + pages * page_bytes; }
};

/// Whether `next` directly follows `run`, so that both are one run.
inline bool continues(const PageRun& run, const PageRun& next, std::uint64_t page_bytes) {
  return run.end_va(page_bytes) == next.va && run.end_value(page_bytes) == next.value &&
         run.count == next.count && run.flags == next.flags;
}

/// Calls visit(run of one page) for each page.
template <class Visit>
void for_each_page(std::span<const PageRun> runs, std::uint64_t page_bytes, Visit visit) {
  for (const PageRun& run : runs) {
    PageRun page = run;
    page.pages = 1;
    for (std::uint64_t i = 0; i < run.pages; ++i, page.va += page_bytes, page.value += page_bytes)
      visit(page);
  }
}

/// Calls visit(run) for each run, and ask(run) kAhead runs earlier, to prefetch. Neighbouring runs
/// are far apart in RAM, and so are their entries in a table of frames. kAhead is the number of
/// loads that a CPU can have in flight.
template <class Ask, class Visit>
void for_each_asked_ahead(std::span<const PageRun> runs, Ask ask, Visit visit) {
  constexpr std::size_t kAhead = 16;
  for (const PageRun& run : runs.first(std::min(kAhead, runs.size())))
    ask(run);  // most areas have no more runs
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i + kAhead < runs.size()) ask(runs[i + kAhead]);
    visit(runs[i]);
  }
}

struct SwapEntry {
  std::uint64_t va = 0;
  std::uint64_t type = 0;  ///< swap device
  std::uint64_t slot = 0;  ///< pages
};

}  // namespace physmem
