// SPDX-License-Identifier: MIT
// What was last seen of every frame of memory and every slot of swap.
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
  std::uint64_t event =
      0;  ///< number of its last move, or of what touched it first, from 1; 0: nothing did
  std::uint64_t address = PM_PAGING_UNKNOWN;
  std::uint64_t counterpart = PM_PAGING_UNKNOWN;  ///< of a frame the slot, of a slot the frame
  std::uint32_t time_ms = 0;                      ///< of the last move; a cache hit moves nothing
  std::uint32_t before_ms = 0;                    ///< of the move before
  std::uint32_t tgid = 0;   ///< whose page, as the last event has it; 0: not known
  std::uint8_t kind = 0;    ///< pm_paging_kind of the last move, 0: none
  std::uint8_t before = 0;  ///< of the one before
  std::uint8_t swap_type = PM_PAGING_NO_TYPE;  ///< of a frame: the area of its slot
  bool is_concluded = false;  ///< whose page: not told by the kernel (PM_PAGING_OWNER_KEPT)

  bool has_page() const { return tgid != 0 && address != PM_PAGING_UNKNOWN; }
};

struct PageBlock {
  static constexpr std::size_t kPages = 2048;

  std::array<PageCell, kPages> cells;
  std::uint64_t event = 0;  ///< of the last change
  std::uint32_t ins = 0;    ///< sums
  std::uint32_t outs = 0;
  RecentMoves recent;
};

/// Memory: 80 KiB for each block of 2048 frames or slots that an event touched, so 40 bytes a page
/// of memory and of swap at most; kMaxBlocks of them together (512 GiB of 4 KiB pages). Events of
/// pages beyond are counted, not kept.
class PageActivity {
 public:
  using Blocks = SharedBlocks<PageBlock>;
  static constexpr std::size_t kMaxBlocks = 65536;
  static constexpr std::size_t kMaxAreas = 32;  // the kernel has no more

  explicit PageActivity(std::size_t max_blocks = kMaxBlocks);

  /// `number`: of the event, from 1, ascending.
  void apply(std::uint64_t number, const PackedEvent& event);

  const Blocks& frames() const { return frames_; }
  /// nullptr when nothing was seen of the area.
  const Blocks* slots(std::uint8_t swap_type) const;
  /// nullptr where nothing was seen.
  const PageCell* frame(std::uint64_t pfn) const;
  const PageCell* slot(std::uint8_t swap_type, std::uint64_t slot) const;

  /// Touches of frames or slots for which there was no room.
  std::uint64_t left_out() const { return left_out_; }
  /// In this and all its copies.
  std::size_t blocks_alive() const { return count_->alive; }
  std::size_t blocks() const { return blocks_made_; }

 private:
  Blocks* area(std::uint8_t swap_type);
  PageBlock* block_of(Blocks& blocks, std::uint64_t page);
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
