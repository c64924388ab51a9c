// SPDX-License-Identifier: MIT
// Where each virtual page was last seen, and whether virtual neighbours are also physical
// neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "paging/fold/shared_blocks.h"

namespace physmem {

/// Pairs of neighbouring virtual pages of one process whose frames are both known.
struct Contiguity {
  std::uint64_t pairs = 0;
  std::uint64_t adjacent = 0;  ///< pairs whose frames are neighbours in the same order

  friend bool operator==(const Contiguity&, const Contiguity&) = default;
};

/// Where a virtual page is, as far as the trace shows.
struct PagePlace {
  enum class Kind : std::uint8_t { kUnknown, kFrame, kSlot };
  Kind kind = Kind::kUnknown;
  std::uint8_t swap_type = 0;  ///< for a slot
  std::uint64_t number = 0;    ///< frame or slot number, below 2^48

  friend bool operator==(const PagePlace&, const PagePlace&) = default;
};

/// Page tables reconstructed from a trace. Memory: 4 KiB per 512 virtual pages (2 MiB) of which at
/// least one was seen, at most kMaxTables tables (512 MiB). Pages beyond that are only counted.
class VirtualPages {
 public:
  static constexpr std::size_t kMaxTables = 131072;

  struct Sums {
    std::uint64_t resident = 0;
    std::uint64_t swapped = 0;
    Contiguity contiguity;
  };
  using FrameRun = std::pair<std::uint64_t, std::uint64_t>;  ///< first frame, frames

  explicit VirtualPages(std::size_t max_tables = kMaxTables);

  /// `page`: virtual address / page size.
  PagePlace find(std::uint32_t tgid, std::uint64_t page) const;
  void put(std::uint32_t tgid, std::uint64_t page, PagePlace place);
  /// Removes the page if it was at `place`.
  void erase(std::uint32_t tgid, std::uint64_t page, PagePlace place);
  void drop(std::uint32_t tgid);

  Sums sums(std::uint32_t tgid) const;
  const Contiguity& contiguity() const { return contiguity_; }
  /// The lowest runs in ascending order, at most `limit`.
  std::vector<FrameRun> frames(std::uint32_t tgid, std::size_t limit) const;
  std::uint64_t left_out() const { return left_out_; }

 private:
  static constexpr std::uint64_t kPages = 512;
  using Table = std::array<std::uint64_t, kPages>;  ///< packed places

  struct Space {
    SharedBlocks<Table> tables;
    Sums sums;
  };

  std::uint64_t packed(const Space& space, std::uint64_t page) const;
  void count(Space& space, std::uint64_t page, std::uint64_t place, bool is_gone);

  std::size_t max_tables_;
  std::shared_ptr<BlockCount> count_;
  std::unordered_map<std::uint32_t, Space> spaces_;
  std::size_t tables_ = 0;
  Contiguity contiguity_;
  std::uint64_t left_out_ = 0;
};

}  // namespace physmem
