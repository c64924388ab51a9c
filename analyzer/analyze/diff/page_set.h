// SPDX-License-Identifier: MIT
// The resident pages of one process, for comparison with a later snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace physmem {

/// Memory: 8 bytes per page and 16 per run of adjacent pages, so at most 24 bytes per page.
class PageSet {
 public:
  struct Page {
    std::uint64_t frame = 0;  ///< below 2^63: frames are physical addresses without their low bits
    bool is_private = false;
  };

  /// In order of page number (virtual address / page size).
  void add(std::uint64_t number, Page page) {
    if (runs_.empty() || runs_.back().first + (pages_.size() - runs_.back().index) != number)
      runs_.push_back({number, pages_.size()});
    pages_.push_back(page.frame << 1 | (page.is_private ? 1 : 0));
  }
  /// Nothing if the page is not in the set. Fast in ascending order.
  std::optional<Page> find(std::uint64_t number);

  std::size_t size() const { return pages_.size(); }
  /// Removes all pages after the first `size`.
  void shrink(std::size_t size);
  /// Frees unused capacity.
  void fit() {
    runs_.shrink_to_fit();
    pages_.shrink_to_fit();
  }

 private:
  struct Run {
    std::uint64_t first;  ///< page number
    std::size_t index;    ///< of that page in pages_
  };
  bool is_in_run(std::uint64_t number) const;
  std::uint64_t end_of(std::size_t run) const;

  std::vector<Run> runs_;
  std::vector<std::uint64_t> pages_;
  std::size_t run_ = 0;  ///< run of the last find()
};

}  // namespace physmem
