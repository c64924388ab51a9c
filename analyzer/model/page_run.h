// SPDX-License-Identifier: MIT
// M: and S: entries, some at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace physmem {

/// Resident pages of one area that follow each other in virtual memory and in RAM, used as often,
/// with the same flags. Memory comes in such runs (of some ten pages, of 512 where pages are huge),
/// so most questions are answered run by run, and cost nothing a page.
struct PageRun {
  std::uint64_t va = 0;     ///< of the first page
  std::uint64_t value = 0;  ///< its page-table value: physical address and, under pte=raw, its bits
  std::uint64_t pages = 0;
  std::uint64_t count = 0;  ///< how often each page is used
  std::uint64_t flags = 0;

  /// Of the page behind the last; wraps as addresses do.
  std::uint64_t va_behind(std::uint64_t page_bytes) const { return va + pages * page_bytes; }
  std::uint64_t value_behind(std::uint64_t page_bytes) const { return value + pages * page_bytes; }
};

/// Both are one run, `next` behind `run`.
inline bool continues(const PageRun& run, const PageRun& next, std::uint64_t page_bytes) {
  return run.va_behind(page_bytes) == next.va && run.value_behind(page_bytes) == next.value &&
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

/// Calls visit(run) for each, and ask(run) some runs before that. Neighbouring runs are far apart
/// in RAM, so what a table has of each frame is far apart too: ask() fetches it, for as many runs
/// at a time as a processor can wait for.
template <class Ask, class Visit>
void for_each_asked_ahead(std::span<const PageRun> runs, Ask ask, Visit visit) {
  constexpr std::size_t kAhead = 16;
  for (const PageRun& run : runs.first(std::min(kAhead, runs.size())))
    ask(run);  // most areas have no more
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

struct FrameRun {
  std::uint64_t first_pfn = 0;
  std::uint64_t pages = 0;
  std::uint64_t flags = 0;
  std::uint64_t count = 0;
};

}  // namespace physmem
