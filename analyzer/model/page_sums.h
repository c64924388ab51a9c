// SPDX-License-Identifier: MIT
// What runs of pages add up to: all that most analyses ask of them, and what a reader holds against
// the P: line.
#pragma once

#include <cstdint>
#include <span>

#include "analyzer/model/header.h"
#include "analyzer/model/page_run.h"
#include "analyzer/model/units.h"

namespace physmem {

/// Pages of one kind.
struct PageTally {
  std::uint64_t pages = 0;
  std::uint64_t single = 0;  ///< used once
  std::uint64_t shared = 0;  ///< used more often; pages with count 0 are neither, as in P:
  PageShare share;           ///< proportional
  std::uint64_t first_seen =
      0;  ///< frames that no area before this one has: their sum over all areas is memory

  PageTally& operator+=(const PageTally& other) {
    pages += other.pages;
    single += other.single;
    shared += other.shared;
    share += other.share;
    first_seen += other.first_seen;
    return *this;
  }
};

/// How a snapshot's pages are told apart.
struct PageKinds {
  std::uint64_t page_bytes = 4096;
  std::uint64_t special =
      0;  ///< flags of what is resident and left out of Rss: zero page, hugetlb, no struct page
  std::uint64_t anon = 0;  ///< flag of anonymous pages
  bool operator==(const PageKinds&) const = default;
};

/// Version 1 flags tell none of them: there the area tells which pages are anonymous.
PageKinds kinds_of(const Header& header);

struct PageSums {
  std::uint64_t pages = 0;
  std::uint64_t single = 0;  ///< used once
  std::uint64_t shared = 0;  ///< used more often; those that nobody counts are neither
  PageTally file;  ///< Rss is file and anon; nobody knows here which frames were seen before
  PageTally anon;
  std::uint64_t special = 0;
  bool is_ordered =
      true;  ///< addresses of pages, each above the one before, none beyond the last there is

  /// Pages of one use; where they are is not looked at.
  void add(const PageRun& run, const PageKinds& kinds);
};

/// Each begins at a page and behind the one before it, the first behind `before` (nullptr: there is
/// none); none goes beyond the last address.
bool are_ordered(const PageRun* before, std::span<const PageRun> runs, std::uint64_t page_bytes);

PageSums sum_up(std::span<const PageRun> runs, const PageKinds& kinds);

}  // namespace physmem
