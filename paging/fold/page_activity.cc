// SPDX-License-Identifier: MIT
#include "paging/fold/page_activity.h"

namespace physmem {
namespace {

const PageCell* cell_of(const PageActivity::Blocks* blocks, std::uint64_t page) {
  if (blocks == nullptr) return nullptr;
  const ActivityBlock* block = blocks->find(page / ActivityBlock::kPages);
  if (block == nullptr) return nullptr;
  const PageCell& cell = block->cells[page % ActivityBlock::kPages];
  return cell.event == 0 ? nullptr : &cell;
}

}  // namespace

PageActivity::PageActivity(std::size_t max_blocks)
    : max_blocks_(max_blocks),
      count_(std::make_shared<BlockCount>()),
      frames_(count_, max_blocks) {}

void PageActivity::apply(std::uint64_t number, const PackedEvent& event) {
  if (event.kind == PM_PAGING_LOST) return;
  if (event.pfn != PM_PAGING_UNKNOWN) touch(&frames_, event.pfn, event.slot, number, event);
  if (event.has_slot()) touch(area(event.swap_type), event.slot, event.pfn, number, event);
}

ActivityBlock* PageActivity::block_of(Blocks& blocks, std::uint64_t page) {
  const std::size_t before = blocks.size();
  ActivityBlock* const block =
      blocks.touch(page / ActivityBlock::kPages, blocks_made_ < max_blocks_);
  blocks_made_ += blocks.size() - before;
  return block;
}

void PageActivity::touch(Blocks* blocks, std::uint64_t page, std::uint64_t counterpart,
                         std::uint64_t number, const PackedEvent& event) {
  ActivityBlock* block = blocks == nullptr ? nullptr : block_of(*blocks, page);
  if (block == nullptr) {
    ++left_out_;
    return;
  }
  PageCell& cell = block->cells[page % ActivityBlock::kPages];
  block->event = number;
  if (event.is_move() || cell.event == 0) cell.event = number;
  cell.tgid = event.tgid;
  cell.address = event.address;
  cell.is_inferred = event.has(PM_PAGING_OWNER_KEPT);
  cell.counterpart = counterpart;
  cell.swap_type = event.swap_type;
  if (!event.is_move()) return;
  cell.before = cell.kind;
  cell.before_ms = cell.time_ms;
  cell.kind = event.kind;
  cell.time_ms = event.time_ms;
  ++(event.is_in() ? block->ins : block->outs);
  block->recent.add(event.time_ms, event.is_in());
}

PageActivity::Blocks* PageActivity::area(std::uint8_t swap_type) {
  const auto it = slots_.find(swap_type);
  if (it != slots_.end()) return &it->second;
  if (slots_.size() >= kMaxAreas) return nullptr;
  return &slots_.emplace(swap_type, Blocks(count_, max_blocks_)).first->second;
}

const PageActivity::Blocks* PageActivity::slots(std::uint8_t swap_type) const {
  const auto it = slots_.find(swap_type);
  return it == slots_.end() ? nullptr : &it->second;
}

const PageCell* PageActivity::frame(std::uint64_t pfn) const {
  return cell_of(&frames_, pfn);
}

const PageCell* PageActivity::slot(std::uint8_t swap_type, std::uint64_t slot) const {
  return cell_of(slots(swap_type), slot);
}

}  // namespace physmem
