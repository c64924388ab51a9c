// SPDX-License-Identifier: MIT
// The last event of each frame of memory and each slot of swap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "paging/fold/recent_moves.h"
#include "paging/fold/shared_blocks.h"
#include "paging/model/packed_event.h"

namespace physmem {

/// 40 bytes.
struct PageCell {
  /// Number of the last move, or of the first event that touched it, from 1; 0: no event.
  std::uint64_t event = 0;
  std::uint64_t address = PM_PAGING_UNKNOWN;
  std::uint64_t counterpart = PM_PAGING_UNKNOWN;  ///< the slot of a frame, the frame of a slot
  std::uint32_t time_ms = 0;                      ///< of the last move; a cache hit is not a move
  std::uint32_t before_ms = 0;                    ///< of the previous move
  std::uint32_t tgid = 0;                         ///< owner according to the last event; 0: unknown
  std::uint8_t kind = 0;                          ///< pm_paging_kind of the last move; 0: no move
  std::uint8_t before = 0;                        ///< of the previous move
  std::uint8_t swap_type = PM_PAGING_NO_TYPE;     ///< for a frame: the area of its slot
  bool is_inferred = false;                       ///< the owner is inferred (PM_PAGING_OWNER_KEPT)

  bool has_page() const { return tgid != 0 && address != PM_PAGING_UNKNOWN; }
};

struct ActivityBlock {
  static constexpr std::size_t kPages = 2048;

  std::array<PageCell, kPages> cells;
  std::uint64_t event = 0;  ///< of the last change
  std::uint32_t ins = 0;    ///< sums
  std::uint32_t outs = 0;
  RecentMoves recent;
};

/// Memory: 80 KiB per block of 2048 frames or slots that an event touched, or 40 bytes per page. At
/// most kMaxBlocks blocks for memory and swap together (512 GiB of 4 KiB pages). Events of pages
/// beyond that are only counted.
class PageActivity {
 public:
  using Blocks = SharedBlocks<ActivityBlock>;
  static constexpr std::size_t kMaxBlocks = 65536;
  static constexpr std::size_t kMaxAreas = 32;  // limit of the kernel

  explicit PageActivity(std::size_t max_blocks = kMaxBlocks);

  /// `number` is the event number: from 1, ascending.
  void apply(std::uint64_t number, const PackedEvent& event);

  const Blocks& frames() const { return frames_; }
  /// nullptr if no event of the area was seen.
  const Blocks* slots(std::uint8_t swap_type) const;
  /// nullptr if no event was seen.
  const PageCell* frame(std::uint64_t pfn) const;
  const PageCell* slot(std::uint8_t swap_type, std::uint64_t slot) const;

  /// Number of accesses to frames or slots beyond the limit.
  std::uint64_t left_out() const { return left_out_; }
  /// Blocks in this object and all its copies.
  std::size_t blocks_alive() const { return count_->alive; }
  std::size_t blocks() const { return blocks_made_; }

 private:
  Blocks* area(std::uint8_t swap_type);
  ActivityBlock* block_of(Blocks& blocks, std::uint64_t page);
  void touch(Blocks* blocks, std::uint64_t page, std::uint64_t counterpart, std::uint64_t number,
             const PackedEvent& event);

  std::size_t max_blocks_;
  std::size_t blocks_made_ = 0;  ///< of all tables
  std::shared_ptr<BlockCount> count_;
  Blocks frames_;
  std::map<std::uint8_t, Blocks> slots_;
  std::uint64_t left_out_ = 0;
};

}  // namespace physmem
