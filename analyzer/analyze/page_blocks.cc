// SPDX-License-Identifier: MIT
#include "analyzer/analyze/page_blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace physmem {
namespace {

/// A block of another page size is too large for the 32 bits of its counts.
constexpr std::size_t kMaxOrder = 30;

/// Adds what fits into 32 bits: a block has no more.
void add_to(std::uint32_t& sum, std::uint64_t pages) {
  sum += static_cast<std::uint32_t>(pages);
}

/// What moving pages would free: blocks in the order of their cost, while the pages to move fit
/// into the free memory of the other blocks.
std::uint64_t compactable(std::vector<std::pair<std::uint64_t, std::uint64_t>> movable_and_free,
                          std::uint64_t free) {
  std::sort(movable_and_free.begin(), movable_and_free.end());
  std::uint64_t moved = 0, blocks = 0;
  for (const auto& [movable, inside] : movable_and_free) {
    free -= std::min(free, inside);
    moved += movable;
    if (moved > free) break;
    ++blocks;
  }
  return blocks;
}

}  // namespace

std::size_t huge_page_order(const Header& header) {
  const std::size_t shift = header.page_size.shift();
  // 2 MiB with the radix tables of POWER9 and later.
  if (header.arch == "ppc64le" && shift == 16) return 5;
  // A page of page tables has an entry of 8 bytes for each of the pages.
  return std::min(shift > 3 ? shift - 3 : 0, kMaxOrder);
}

BlockUse block_use(FrameClass use, const Header& header) {
  switch (use) {
    case PM_RAM_FREE:
    case PM_RAM_FREE_PERCPU:
      return BlockUse::kFree;
    case PM_RAM_FILE:
    case PM_RAM_BLOCK:
      return BlockUse::kFile;
    case PM_RAM_SHMEM:
      return BlockUse::kShmem;
    case PM_RAM_ANON:
    case PM_RAM_ZSMALLOC:
    case PM_RAM_BALLOON:
      return BlockUse::kAnon;
    case PM_RAM_HUGETLB:
      return BlockUse::kHuge;
    case PM_RAM_SLAB:
    case PM_RAM_LARGE_KMALLOC:
      return BlockUse::kSlab;
    case PM_RAM_RESERVED:
    case PM_RAM_KERNEL_CODE:
    case PM_RAM_KERNEL_DATA:
    case PM_RAM_CRASH_KERNEL:
    case PM_RAM_MEMMAP:
    case PM_RAM_POISON:
      return BlockUse::kBoot;
    case PM_RAM_UNMARKED:
      return header.ram_by == "proc" ? BlockUse::kNotKnown : BlockUse::kKernel;
    default:
      return BlockUse::kKernel;
  }
}

Movability movability(FrameClass use, const Header& header) {
  switch (block_use(use, header)) {
    case BlockUse::kFree:
      return Movability::kFree;
    case BlockUse::kFile:
    case BlockUse::kShmem:
    case BlockUse::kAnon:
      return Movability::kMovable;
    case BlockUse::kNotKnown:
      return Movability::kNotKnown;
    default:
      return Movability::kUnmovable;
  }
}

std::size_t FreeMemory::largest() const {
  std::size_t order = kOrders - 2;  // the last one stands for unknown orders
  while (order != 0 && pages[order] == 0) --order;
  return order;
}

std::uint64_t FreeMemory::total() const {
  return of_at_least(0);
}

std::uint64_t FreeMemory::of_at_least(std::size_t order) const {
  return std::accumulate(pages.begin() + static_cast<std::ptrdiff_t>(std::min(order, kOrders)),
                         pages.end(), std::uint64_t{0});
}

void PageBlocks::on_header(const Header& header) {
  *this = PageBlocks();
  header_ = header;
  order_ = huge_page_order(header);
}

/// A zone may have several records if it is listed again. Its number is that of its group.
void PageBlocks::on_zone(const Zone& zone) {
  groups_.on_zone(zone);
  const auto is_it = [&](const ZoneFree& other) {
    return other.node == zone.node && other.zone == zone.name;
  };
  if (std::none_of(zones_.begin(), zones_.end(), is_it))
    zones_.push_back({zone.node, zone.name, {}});
}

void PageBlocks::on_owner(const RamOwner& owner) {
  if (owner.kind == RamOwner::Kind::kSlab || owner.kind == RamOwner::Kind::kCode)
    owners_.emplace(owner.id, owner.name);
}

void PageBlocks::on_ram(const RamRun& whole) {
  if (whole.use == PM_RAM_HOLE || whole.use == PM_RAM_OFFLINE) return;
  groups_.for_each(whole, [this](std::size_t zone, const RamRun& run) {
    if (run.use == PM_RAM_FREE) add_free(zone, run);
    const std::uint64_t end = run.first_pfn + run.pages;
    for (std::uint64_t at = run.first_pfn, stop = 0; at < end; at = stop) {
      const std::uint64_t number = at >> order_;
      stop = std::min(end, (number + 1) << order_);
      if (block_.ram == 0 || block_.number != number) open_block(number, zone);
      add(run, stop - at);
    }
  });
}

void PageBlocks::add_free(std::size_t zone, const RamRun& run) {
  const std::size_t order = std::min<std::uint64_t>(run.place, FreeMemory::kOrders - 1);
  has_orders_ = has_orders_ || order != FreeMemory::kOrders - 1;
  while (zones_.size() <= zone) zones_.push_back({std::nullopt, "none", {}});
  zones_[zone].free.pages[order] += run.pages;
}

void PageBlocks::open_block(std::uint64_t number, std::size_t zone) {
  close_block();
  block_ = {};
  block_.number = number;
  block_.zone = static_cast<std::uint16_t>(std::min<std::size_t>(zone, 0xFFFF));
  uses_ = {};
  only_ = {};
  has_others_ = false;
}

void PageBlocks::add(const RamRun& run, std::uint64_t pages) {
  add_to(block_.ram, pages);
  if (run.use == PM_RAM_FREE) return add_to(block_.free, pages);
  add_to(uses_[static_cast<std::size_t>(block_use(run.use, header_))], pages);
  if (run.use == PM_RAM_HUGETLB) return add_to(block_.huge, pages);
  const Movability how = movability(run.use, header_);
  if (how == Movability::kNotKnown) return add_to(block_.not_known, pages);
  if (how != Movability::kUnmovable) return;
  const OwnerKey key{run.use, owners_.contains(run.owner) ? run.owner : 0};
  if (block_.unmovable != 0 && key != only_) has_others_ = true;
  only_ = key;
  add_to(block_.unmovable, pages);
}

/// Frames on lists of processors count as used if nothing else is: the block is not entirely free.
void PageBlocks::close_block() {
  if (block_.ram == 0) return;
  const auto most = std::max_element(uses_.begin(), uses_.end());
  block_.use = *most == 0 ? BlockUse::kFree : static_cast<BlockUse>(most - uses_.begin());
  if (block_.unmovable != 0 && !has_others_) {
    Blocker& blocker = blockers_[only_];
    blocker.use = only_.first;
    ++blocker.blocks;
    blocker.pages += block_.unmovable;
  }
  blocks_.push_back(block_);
  block_ = {};
}

void PageBlocks::on_end() {
  close_block();
}

HugeRoom PageBlocks::room_of(std::size_t order) const {
  HugeRoom room{.order = order};
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> candidates;
  std::map<std::uint16_t, std::uint64_t> free;
  const std::uint64_t size = std::uint64_t{1} << order;
  for (std::size_t begin = 0, end = 0; begin < blocks_.size(); begin = end) {
    PageBlock sum = blocks_[begin];
    std::uint64_t ram = sum.ram, inside = sum.free, unmovable = sum.unmovable, huge = sum.huge;
    std::uint64_t not_known = sum.not_known;
    free[sum.zone] += sum.free;
    const unsigned shift = static_cast<unsigned>(order - order_);
    for (end = begin + 1;
         end < blocks_.size() && blocks_[end].number >> shift == sum.number >> shift; ++end) {
      ram += blocks_[end].ram;
      inside += blocks_[end].free;
      unmovable += blocks_[end].unmovable;
      huge += blocks_[end].huge;
      not_known += blocks_[end].not_known;
      free[blocks_[end].zone] += blocks_[end].free;
    }
    if (ram != size) continue;
    ++room.blocks;
    if (huge == size) ++room.in_use;
    if (inside == size) ++room.ready;
    if (unmovable != 0 || huge != 0) continue;
    if (not_known != 0) {
      ++room.not_known;
      continue;
    }
    ++room.movable;
    candidates[sum.zone].emplace_back(ram - inside, inside);
  }
  for (auto& [zone, blocks] : candidates)
    room.compacted += compactable(std::move(blocks), free[zone]);
  return room;
}

std::vector<HugeRoom> PageBlocks::huge_rooms() const {
  // A table of the next level has as many entries as one of the last.
  const std::size_t next = order_ + header_.page_size.shift() - 3;
  std::vector<HugeRoom> rooms{room_of(order_)};
  if (next < kMaxOrder) rooms.push_back(room_of(next));
  return rooms;
}

std::vector<Blocker> PageBlocks::blockers() const {
  std::vector<Blocker> rows;
  for (const auto& [key, blocker] : blockers_) {
    rows.push_back(blocker);
    if (const auto owner = owners_.find(key.second); owner != owners_.end())
      rows.back().owner = owner->second;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Blocker& a, const Blocker& b) { return a.blocks > b.blocks; });
  return rows;
}

}  // namespace physmem
