// SPDX-License-Identifier: MIT
// A buffer for runs of one area, in address order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/model/page_run.h"
#include "analyzer/model/page_sums.h"

namespace physmem {

/// 20 KiB, so that a batch stays in the first-level cache for all analyses.
struct PageBatch {
  static constexpr std::size_t kCapacity = 512;

  PageKinds kinds;
  std::size_t size = 0;
  PageSums sums;  ///< of all runs
  /// The last one is for writers that store a run before they check for room.
  std::array<PageRun, kCapacity + 1> run;

  std::span<const PageRun> runs() const { return {run.data(), size}; }
  std::size_t room() const { return kCapacity - size; }
  void clear() {
    size = 0;
    sums = {};
  }

  /// After the last run.
  PageRun* end() { return run.data() + size; }

  void add(const PageRun& next) {
    *end() = next;
    add_written(1, next.pages);
  }

  /// Adds `runs` runs that were stored at end(), with equal count and flags and `their_pages` pages
  /// in all, so that their sums are computed at once. The first is merged with the last run if it
  /// continues it.
  void add_written(std::size_t runs, std::uint64_t their_pages) {
    const PageRun* const before = size == 0 ? nullptr : &run[size - 1];
    PageRun* const first = end();
    sums.add({first->va, first->value, their_pages, first->count, first->flags}, kinds);
    sums.is_ordered &= are_ordered(before, {first, runs}, kinds.page_bytes);
    size += runs;
    if (before == nullptr || !continues(*before, *first, kinds.page_bytes)) return;
    first[-1].pages += first->pages;
    std::copy(first + 1, end(), first);
    --size;
  }

  /// Keeps the first `n` pages.
  void cut(std::uint64_t n) {
    std::uint64_t pages = sums.pages;
    while (size != 0 && pages - run[size - 1].pages >= n) pages -= run[--size].pages;
    if (size != 0) run[size - 1].pages -= pages - n;
    sums = sum_up(runs(), kinds);
  }
};

}  // namespace physmem
