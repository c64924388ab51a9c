// SPDX-License-Identifier: MIT
// Fragmentation: free memory by size of block, and RAM as pageblocks, the size of a huge page.
//
// The kernel keeps pages that it can move (of processes and files) and pages that it cannot (its
// own) in different pageblocks, as far as it can. One page that cannot be moved prevents a huge
// page in its block until it is freed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/ram/ram_groups.h"
#include "analyzer/model/frame_classes.h"

namespace physmem {

/// Whether so many pages of MemFree outside of the zones are RAM that is in no zone yet. Fewer can
/// have been freed between the readings of the two totals.
bool is_free_in_no_zone(std::uint64_t pages, PageSize page_size);

/// The use of a class of RAM. With --ram=proc, unmarked frames may be on per-CPU free lists; the
/// other sources identify those, so the rest is memory of the kernel. PageBlocks knows more: see
/// free_in_no_zone().
BlockUse block_use(FrameClass use, const Header& header);

enum class Movability : std::uint8_t {
  kFree,       ///< in the allocator, or on a per-CPU list, which is emptied when needed
  kMovable,    ///< the kernel can move the page. Pinned ones it cannot, which no snapshot knows
  kUnmovable,  ///< only its owner can free it
  kNotKnown,
};
Movability movability(FrameClass use, const Header& header);

/// Aligned frames of the size of a huge page, at least one of them RAM; or several such blocks,
/// one after the other, that have the same numbers.
struct PageBlock {
  std::uint64_t number = 0;  ///< first frame >> order, of the first block
  std::uint64_t count = 1;   ///< blocks
  std::uint32_t ram = 0;     ///< frames, without holes and offline memory
  std::uint32_t free = 0;    ///< in the allocator
  std::uint32_t unmovable = 0;
  std::uint32_t huge = 0;          ///< of hugetlb
  std::uint32_t not_known = 0;     ///< movable or not
  std::uint16_t zone = 0;          ///< index in PageBlocks::zones() of its first frame's zone
  BlockUse use = BlockUse::kFree;  ///< of most frames that are not free

  std::uint64_t end() const { return number + count; }
  /// Whether it follows this one with the same numbers.
  bool goes_on_with(const PageBlock& next) const;
  /// Frames that the kernel must move to free the block.
  std::uint32_t movable() const { return ram - free - unmovable - huge - not_known; }
};

/// Free memory of a zone, or of the part of a group that is selected.
struct FreeMemory {
  static constexpr std::size_t kOrders = 64;
  std::array<std::uint64_t, kOrders> pages{};  ///< by order of the block

  std::size_t largest() const;                         ///< order with blocks; 0 if there are none
  std::uint64_t total() const;                         ///< without per-CPU lists
  std::uint64_t of_at_least(std::size_t order) const;  ///< in blocks of this order or more
};

/// Huge pages of one size that RAM has room for.
struct HugeRoom {
  std::size_t order = 0;
  std::uint64_t blocks = 0;     ///< aligned pieces of RAM of this size
  std::uint64_t in_use = 0;     ///< entirely hugetlb
  std::uint64_t ready = 0;      ///< entirely free
  std::uint64_t compacted = 0;  ///< ready, or free if pages are moved to free memory of the zone
  std::uint64_t movable = 0;    ///< of movable and free pages only: what reclaim can free
  std::uint64_t not_known = 0;  ///< without unmovable pages, but with some of unknown movability
};

/// An owner, or a class, that alone makes blocks unmovable.
struct Blocker {
  FrameClass use = PM_RAM_UNKNOWN;
  std::string owner;         ///< empty: none, or unknown
  std::uint64_t blocks = 0;  ///< in which it has the only unmovable pages
  std::uint64_t pages = 0;   ///< its pages there
};

/// Memory: 40 bytes per pageblock, or per run of equal ones.
class PageBlocks : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_zone(const Zone& zone) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  const Header& header() const { return header_; }
  bool is_known() const { return header_.ram == Header::Ram::kAll; }
  /// Pages of MemFree that are in no zone yet: RAM that the kernel adds to a zone when it needs it.
  /// They are among the unmarked frames, so these are not known to be of the kernel.
  std::uint64_t free_in_no_zone() const;
  /// Order of the blocks' size. The kernel's pageblocks have the size of a process's huge page:
  /// what one page of page tables maps.
  std::size_t order() const { return order_; }
  std::uint64_t frames_per_block() const { return std::uint64_t{1} << order_; }

  struct ZoneFree {
    std::optional<std::uint64_t> node;  ///< nothing: outside of all zones
    std::string zone;
    FreeMemory free;
  };
  /// In the order of the snapshot.
  const std::vector<ZoneFree>& zones() const { return zones_; }
  /// False if free blocks have no order, as by /proc.
  bool has_orders() const { return has_orders_; }
  /// Blocks of the selected zones, by ascending number.
  const std::vector<PageBlock>& blocks() const { return blocks_; }
  /// For huge pages of processes, and for the next size (1 GiB on most machines).
  std::vector<HugeRoom> huge_rooms() const;
  /// Most blocks first.
  std::vector<Blocker> blockers() const;

 private:
  using OwnerKey = std::pair<FrameClass, std::uint64_t>;  ///< owner id; 0: none, or unknown

  void add_free(std::size_t zone, const RamRun& run);
  void open_block(std::uint64_t number, std::size_t zone);
  void add(const RamRun& run, std::uint64_t pages);
  void close_block();

  Header header_;
  RamGroups groups_{{RamSelection::By::kZone}};  ///< one for each zone
  std::size_t order_ = 9;
  std::vector<ZoneFree> zones_;
  bool has_orders_ = false;
  std::vector<PageBlock> blocks_;
  PageBlock block_;                               ///< the current one; without RAM: none
  std::array<std::uint32_t, kBlockUses> uses_{};  ///< of the current block
  OwnerKey only_{};                               ///< the first unmovable owner in it
  bool has_others_ = false;                       ///< it has several
  std::map<OwnerKey, Blocker> blockers_;
  std::uint64_t free_ = 0, free_in_zones_ = 0;   ///< by totals of the kernel
  std::map<std::uint64_t, std::string> owners_;  ///< by id: names of slab caches, code and tasks
};

}  // namespace physmem
