// SPDX-License-Identifier: MIT
// Sums over runs of pages. Most analyses use only these, and the reader checks them against P:.
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
  std::uint64_t shared = 0;  ///< used more often; pages with count 0 are in neither, as in P:
  PageShare share;           ///< proportional
  /// Frames that no earlier area maps. The sum over all areas is the memory in use.
  std::uint64_t first_seen = 0;
  /// Frames of `shared` that one process maps several times and no other process maps. Each counts
  /// in one area.
  std::uint64_t repeated = 0;

  PageTally& operator+=(const PageTally& other) {
    pages += other.pages;
    single += other.single;
    shared += other.shared;
    repeated += other.repeated;
    share += other.share;
    first_seen += other.first_seen;
    return *this;
  }
};

/// Properties of a snapshot by which its pages are classified.
struct PageKinds {
  std::uint64_t page_bytes = 4096;
  /// Flags of pages that are resident but not in Rss: zero page, hugetlb, no struct page.
  std::uint64_t special = 0;
  std::uint64_t anon = 0;  ///< flag of anonymous pages
  bool operator==(const PageKinds&) const = default;
};

/// Version 1 flags distinguish none of these; there the area decides which pages are anonymous.
PageKinds kinds_of(const Header& header);

struct PageSums {
  std::uint64_t pages = 0;
  std::uint64_t single = 0;  ///< used once
  std::uint64_t shared = 0;  ///< used more often; pages with count 0 are in neither
  PageTally file;            ///< Rss is file + anon; repeated and first_seen are not set here
  PageTally anon;
  std::uint64_t special = 0;
  /// Addresses are page-aligned and ascending, and no run goes beyond the last address.
  bool is_ordered = true;

  /// Adds pages with one use count. Ignores their addresses.
  void add(const PageRun& run, const PageKinds& kinds);
};

/// Whether each run is page-aligned, begins after the one before it and ends within the address
/// space. The first must begin after `before` unless that is nullptr.
bool are_ordered(const PageRun* before, std::span<const PageRun> runs, std::uint64_t page_bytes);

PageSums sum_up(std::span<const PageRun> runs, const PageKinds& kinds);

}  // namespace physmem
