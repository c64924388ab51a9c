// SPDX-License-Identifier: MIT
#include "paging/fold/paging_state.h"

#include <algorithm>

namespace physmem {
namespace {

/// Read but not mapped yet: read without a fault, or for a fault that will be retried.
bool is_only_read(const PackedEvent& event) {
  return event.has(PM_PAGING_READAHEAD) || event.has(PM_PAGING_RETRY) ||
         event.has(PM_PAGING_NO_FAULT);
}

}  // namespace

void PagingState::apply(std::uint64_t number, const PackedEvent& event) {
  events_ = number;
  event_ms_ = event.time_ms;
  now_ms_ = std::max(now_ms_, event.time_ms);
  count(event);
  if (event.kind == PM_PAGING_LOST) return;
  erase_former(event);
  if (!event.has(PM_PAGING_FAILED)) {
    place(event);
    pages_.apply(number, event);
  }
  processes_.apply(number, event, [this](std::uint32_t tgid) { virtual_pages_.drop(tgid); });
  rates_.apply(event);
}

void PagingState::advance(std::uint32_t now_ms) {
  now_ms_ = std::max(now_ms_, now_ms);
  rates_.advance(now_ms_);
}

void PagingState::count(const PackedEvent& event) {
  if (event.kind == PM_PAGING_LOST) {
    sums_.lost += event.slot;
    return;
  }
  if (event.is_move()) ++(event.is_in() ? sums_.ins : sums_.outs);
  if (event.has(PM_PAGING_CACHE_HIT)) ++sums_.hits;
  if (event.has(PM_PAGING_READAHEAD)) ++sums_.readahead;
  if (event.has(PM_PAGING_MAJOR)) ++sums_.major;
}

/// A frame with a new page, and a rewritten slot, no longer hold the previous page.
void PagingState::erase_former(const PackedEvent& event) {
  const auto erase = [&](const PageCell* cell, PagePlace place) {
    if (cell == nullptr || !cell->has_page()) return;
    if (cell->tgid == event.tgid && cell->address == event.address) return;
    virtual_pages_.erase(cell->tgid, page_number(cell->address), place);
  };
  // A cache hit by another process shares the page. The first process remains the owner.
  if (event.pfn != PM_PAGING_UNKNOWN && event.is_move())
    erase(pages_.frame(event.pfn), {PagePlace::Kind::kFrame, 0, event.pfn});
  if (event.has_slot() && !event.is_in())
    erase(pages_.slot(event.swap_type, event.slot),
          {PagePlace::Kind::kSlot, event.swap_type, event.slot});
}

void PagingState::place(const PackedEvent& event) {
  if (!event.has_page() || is_only_read(event)) return;
  const std::uint64_t page = page_number(event.address);
  if (event.is_in() && event.pfn != PM_PAGING_UNKNOWN)
    virtual_pages_.put(event.tgid, page, {PagePlace::Kind::kFrame, 0, event.pfn});
  else if (!event.is_in() && event.has_slot())
    virtual_pages_.put(event.tgid, page, {PagePlace::Kind::kSlot, event.swap_type, event.slot});
  else
    virtual_pages_.put(event.tgid, page, {});
}

}  // namespace physmem
