// SPDX-License-Identifier: MIT
// The page entries of one area, checked against each other and against its V: and P: lines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "analyzer/model/header.h"
#include "analyzer/model/page_run.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/model/vma.h"
#include "analyzer/parse/line_cursor.h"

namespace physmem {

/// A page that breaks the order of its list.
struct Misplaced {
  std::uint64_t page = 0;  ///< its number in the runs, from 0; the caller knows its column
  std::string text;        ///< what is wrong with its address
};

/// Follows the lines of one area after its V: line: P:, M:, S:, and from version 2 on a second P:
/// if the area changed while it was collected. It stores counts and the last address, not the
/// entries.
///
/// Flaws have columns from 1, and texts without the record's letter. After a flaw the line must not
/// be used, and with keep_going the area is incomplete (set_incomplete()).
class AreaEntries {
 public:
  AreaEntries(const Vma& vma, const Header& header)
      : start_(vma.start),
        last_(vma.last),
        resident_(vma.resident),
        page_size_(header.page_size),
        version_(header.version),
        has_pages_(header.has_pages) {}

  /// Parses a P: line, which is line `number` of the input. Leaves the first flaw in the cursor.
  PageCounts read_counts(LineCursor& line, std::uint64_t number);

  /// An M: or S: line begins here; its entries follow. Each may come once.
  std::optional<Flaw> begin_mappings();
  std::optional<Flaw> begin_swapped();

  /// Whether the runs, whose sums these are, lie in the area and after the last entry of the list.
  bool fits(std::span<const PageRun> runs, const PageSums& sums) const {
    const std::uint64_t page = page_size_.bytes;
    const bool is_after = !after_ || runs.front().va > *after_;
    return sums.is_ordered && is_after && runs.front().va >= start_ &&
           runs.back().end_va(page) - page <= last_;
  }
  /// The first page of runs that do not fit.
  std::optional<Misplaced> find_misplaced(std::span<const PageRun> runs) const;
  /// Adds runs that fit. There must be at least one.
  void add(std::span<const PageRun> runs, const PageSums& sums) {
    after_ = runs.back().end_va(page_size_.bytes) - page_size_.bytes;
    single_ += sums.single;
    shared_ += sums.shared;
    listed_ += sums.pages;
  }
  /// Adds an S: entry, whose text begins at this column, if it lies in the area and after the last
  /// one.
  std::optional<Flaw> add(const SwapEntry& entry, std::uint64_t column);

  /// Lines or entries are missing: `...`, or a dropped line. Counts are then not checked. False if
  /// some were missing before.
  bool set_incomplete();

  /// The flaw of a complete area of version 2 at its end: P: is missing, or differs from the
  /// entries. It has column 1, but concerns the lines before.
  std::optional<Flaw> check() const;
  /// Whether the counts of P: and the entries of a complete area differ. Version 1 does not
  /// guarantee that they agree.
  bool is_miscounted() const;

  /// Pages in the area so far: those listed, or those counted if the snapshot lists none.
  std::uint64_t pages() const { return has_pages_ || !counts_ ? listed_ : counts_->user; }
  /// The same for swapped ones.
  std::uint64_t swapped() const { return has_pages_ || !counts_ ? swapped_ : counts_->swapped; }

 private:
  void check_counts(LineCursor& line, const PageCounts& counts, bool is_second) const;
  bool agrees() const { return listed_ == counts_->user && swapped_ == counts_->swapped; }
  const char* wrong_place(std::uint64_t va, std::optional<std::uint64_t> after) const;
  std::string misplaced(std::uint64_t va, const char* why) const;

  std::uint64_t start_;
  std::uint64_t last_;
  std::uint64_t resident_;  ///< bytes, from V:
  PageSize page_size_;
  int version_;
  bool has_pages_;
  std::uint64_t listed_ = 0;   ///< M: entries so far
  std::uint64_t single_ = 0;   ///< those with a use count of 1
  std::uint64_t shared_ = 0;   ///< those with a higher one
  std::uint64_t swapped_ = 0;  ///< S: entries so far
  bool has_mappings_ = false;  ///< it has an M: line, which only the next lines may continue
  bool has_swapped_ = false;   ///< the same for S:
  std::optional<std::uint64_t> after_;  ///< address of the last entry; the next must be higher
  std::optional<PageCounts> counts_;
  bool is_recounted_ = false;  ///< counts_ are from a second P:, after M: and S:
  std::uint64_t counts_line_ = 0;
  bool is_incomplete_ = false;  ///< entries are missing
};

}  // namespace physmem
