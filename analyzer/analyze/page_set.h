// SPDX-License-Identifier: MIT
// The resident pages of one process, kept to be compared with those of a later snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace physmem {

/// Memory: 8 bytes a page, and 16 a run of pages with neighbouring addresses; so 24 bytes a page at
/// most.
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
  /// Nothing for a page that is not there. Fast when asked in ascending order.
  std::optional<Page> find(std::uint64_t number);

  std::size_t size() const { return pages_.size(); }
  /// Takes the pages away that were added behind the first `size`.
  void shrink(std::size_t size);
  /// Gives back what was reserved for more pages.
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
  std::size_t run_ = 0;  ///< where the last page asked for would be
};

}  // namespace physmem
