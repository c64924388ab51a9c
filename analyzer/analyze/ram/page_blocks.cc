// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/page_blocks.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace physmem {
namespace {

/// A block of another page size is too large for the 32 bits of its counts.
constexpr std::size_t kMaxOrder = 30;

/// Adds what fits into 32 bits: a block has no more.
void add_to(std::uint32_t& sum, std::uint64_t pages) {
  sum += static_cast<std::uint32_t>(pages);
}

/// Blocks of one size that can be freed by moving pages.
struct Candidates {
  std::uint64_t movable = 0;  ///< pages of each
  std::uint64_t free = 0;     ///< pages of each; the block is never empty
  std::uint64_t blocks = 0;

  bool operator<(const Candidates& other) const {
    return std::tie(movable, free) < std::tie(other.movable, other.free);
  }
};

/// What moving pages would free: blocks in the order of their cost, while the pages to move fit
/// into the free memory of the other blocks.
std::uint64_t compactable(std::vector<Candidates> all, std::uint64_t free) {
  std::sort(all.begin(), all.end());
  std::uint64_t moved = 0, blocks = 0;
  for (const Candidates& some : all) {
    // Each takes its free pages away from the others, and moves its movable ones there.
    const std::uint64_t fit = (free - moved) / (some.movable + some.free);
    const std::uint64_t taken = std::min(fit, some.blocks);
    free -= taken * some.free;
    moved += taken * some.movable;
    blocks += taken;
    if (taken < some.blocks) break;
  }
  return blocks;
}

/// Adds up pageblocks to aligned blocks of a larger size, or of the same.
class RoomSum {
 public:
  RoomSum(std::size_t order, unsigned shift) : room_{.order = order}, shift_(shift) {}

  /// Blocks ascend.
  void add(const PageBlock& run) {
    free_[run.zone] += run.count * run.free;
    for (std::uint64_t at = run.number; at < run.end();) {
      const std::uint64_t whole = (run.end() - at) >> shift_;
      const bool is_aligned = at >> shift_ << shift_ == at;
      if (sum_.ram != 0 && sum_.number != at >> shift_) close();
      const std::uint64_t stop = std::min(run.end(), ((at >> shift_) + 1) << shift_);
      if (sum_.ram == 0) sum_ = {at >> shift_, run.zone};
      sum_.add(run, stop - at);
      at = stop;
      if (!is_aligned || whole < 2) continue;
      // Those that follow are like this one.
      sum_.blocks = whole;
      close();
      at += (whole - 1) << shift_;
    }
  }

  HugeRoom end() {
    if (sum_.ram != 0) close();
    for (auto& [zone, blocks] : candidates_)
      room_.compacted += compactable(std::move(blocks), free_[zone]);
    return room_;
  }

 private:
  struct Sum {
    std::uint64_t number = 0;
    std::uint16_t zone = 0;  ///< of the first pageblock
    std::uint64_t blocks = 1;
    std::uint64_t ram = 0, free = 0, unmovable = 0, huge = 0, not_known = 0;

    void add(const PageBlock& block, std::uint64_t count) {
      ram += count * block.ram;
      free += count * block.free;
      unmovable += count * block.unmovable;
      huge += count * block.huge;
      not_known += count * block.not_known;
    }
  };

  void close() {
    const Sum sum = std::exchange(sum_, {});
    const std::uint64_t size = std::uint64_t{1} << room_.order;
    if (sum.ram != size) return;
    room_.blocks += sum.blocks;
    if (sum.huge == size) room_.in_use += sum.blocks;
    if (sum.free == size) room_.ready += sum.blocks;
    if (sum.unmovable != 0 || sum.huge != 0) return;
    if (sum.not_known != 0) {
      room_.not_known += sum.blocks;
      return;
    }
    room_.movable += sum.blocks;
    candidates_[sum.zone].push_back({sum.ram - sum.free, sum.free, sum.blocks});
  }

  HugeRoom room_;
  unsigned shift_;
  Sum sum_;  ///< of the current block; without RAM: none
  std::map<std::uint16_t, std::vector<Candidates>> candidates_;
  std::map<std::uint16_t, std::uint64_t> free_;
};

HugeRoom room_of(const std::vector<PageBlock>& blocks, std::size_t order, unsigned shift) {
  RoomSum sum(order, shift);
  for (const PageBlock& block : blocks) sum.add(block);
  return sum.end();
}

}  // namespace

bool is_free_in_no_zone(std::uint64_t pages, PageSize page_size) {
  constexpr std::uint64_t kLeastBytes = 64U << 20;
  return pages >= page_size.pages(kLeastBytes);
}

BlockUse block_use(FrameClass use, const Header& header) {
  if (use == PM_RAM_UNMARKED && header.ram_by != "proc") return BlockUse::kKernel;
  return facts_of(use).block.value_or(BlockUse::kKernel);
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

bool PageBlock::goes_on_with(const PageBlock& next) const {
  const auto numbers = [](const PageBlock& block) {
    return std::tie(block.ram, block.free, block.unmovable, block.huge, block.not_known, block.zone,
                    block.use);
  };
  return next.number == end() && numbers(*this) == numbers(next);
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
  order_ = std::min(header.huge_page_order(), kMaxOrder);
}

void PageBlocks::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "ram.before.free") free_ = counter.value;
    if (counter.name == "ram.before.free_in_zones") free_in_zones_ = counter.value;
  }
}

std::uint64_t PageBlocks::free_in_no_zone() const {
  const std::uint64_t more =
      free_in_zones_ != 0 && free_ > free_in_zones_ ? free_ - free_in_zones_ : 0;
  return is_free_in_no_zone(more, header_.page_size) ? more : 0;
}

/// A zone may have several records if it is listed again. Its number is its group's.
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
  if (!is_ram(whole.use)) return;
  groups_.for_each(whole, [this](std::size_t zone, const RamRun& run) {
    if (run.use == PM_RAM_FREE) add_free(zone, run);
    const std::uint64_t end = run.first_pfn + run.pages;
    for (std::uint64_t at = run.first_pfn, stop = 0; at < end; at = stop) {
      const std::uint64_t number = at >> order_;
      stop = std::min(end, (number + 1) << order_);
      if (block_.ram == 0 || block_.number != number) open_block(number, zone);
      add(run, stop - at);
      const std::uint64_t alike = (end - at) >> order_;
      if (at != number << order_ || alike < 2) continue;
      // Those that follow are like this one.
      block_.count = alike;
      stop = at + (alike << order_);
      close_block();
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
  const bool may_be_free = run.use == PM_RAM_UNMARKED && free_in_no_zone() != 0;
  const BlockUse use = may_be_free ? BlockUse::kNotKnown : block_use(run.use, header_);
  add_to(uses_[static_cast<std::size_t>(use)], pages);
  if (run.use == PM_RAM_HUGETLB) return add_to(block_.huge, pages);
  const Movability how = may_be_free ? Movability::kNotKnown : movability(run.use, header_);
  if (how == Movability::kNotKnown) return add_to(block_.not_known, pages);
  if (how != Movability::kUnmovable) return;
  const OwnerKey key{run.use, owners_.contains(run.owner) ? run.owner : 0};
  if (block_.unmovable != 0 && key != only_) has_others_ = true;
  only_ = key;
  add_to(block_.unmovable, pages);
}

/// Frames on per-CPU lists count as used if nothing else is: the block is not entirely free.
void PageBlocks::close_block() {
  if (block_.ram == 0) return;
  const auto most = std::max_element(uses_.begin(), uses_.end());
  block_.use = *most == 0 ? BlockUse::kFree : static_cast<BlockUse>(most - uses_.begin());
  if (block_.unmovable != 0 && !has_others_) {
    Blocker& blocker = blockers_[only_];
    blocker.use = only_.first;
    blocker.blocks += block_.count;
    blocker.pages += block_.count * block_.unmovable;
  }
  if (!blocks_.empty() && blocks_.back().goes_on_with(block_))
    blocks_.back().count += block_.count;
  else
    blocks_.push_back(block_);
  block_ = {};
}

void PageBlocks::on_end() {
  close_block();
}

std::vector<HugeRoom> PageBlocks::huge_rooms() const {
  // A table of the next level has as many entries as one of the last.
  const std::size_t next = order_ + header_.page_size.shift() - 3;
  std::vector<HugeRoom> rooms{room_of(blocks_, order_, 0)};
  if (next < kMaxOrder)
    rooms.push_back(room_of(blocks_, next, static_cast<unsigned>(next - order_)));
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
