// SPDX-License-Identifier: MIT
#include "paging/fold/paging_timeline.h"

#include <algorithm>

namespace physmem {
namespace {

constexpr std::size_t kBlocksFree = 1024;

}  // namespace

PagingTimeline::PagingTimeline(unsigned page_shift, Limits limits)
    : limits_(limits), events_(limits.events), present_(page_shift, limits.room), kept_{present_} {}

void PagingTimeline::add(PackedEvent event) {
  event.time_ms = std::max(event.time_ms, present_.event_ms());
  present_.apply(events_.push(event), event);
  if (present_.events() % limits_.step == 0) kept_.push_back(present_);
  drop_old_states();
}

/// A state can be advanced only while the event after it is kept.
void PagingTimeline::drop_old_states() {
  while (kept_.size() > 1 && kept_.front().events() + 1 < events_.first()) kept_.pop_front();
  const std::size_t free = std::min(kBlocksFree, limits_.room.blocks);
  while (kept_.size() > 1 && present_.pages().blocks_alive() > 2 * present_.pages().blocks() + free)
    kept_.pop_front();
}

std::uint32_t PagingTimeline::history_from_ms() const {
  return kept_.front().event_ms();
}

PagingState PagingTimeline::at(std::uint32_t time_ms) const {
  auto after = std::find_if(kept_.begin(), kept_.end(),
                            [&](const auto& s) { return s.event_ms() > time_ms; });
  PagingState state = after == kept_.begin() ? kept_.front() : *std::prev(after);
  run(state, time_ms);
  return state;
}

void PagingTimeline::move(PagingState& state, std::uint32_t time_ms) const {
  const bool is_near = state.now_ms() <= time_ms && state.events() + 1 >= events_.first() &&
                       events_.after(time_ms) - state.events() <= limits_.step + 1;
  if (is_near)
    run(state, time_ms);
  else
    state = at(time_ms);
}

void PagingTimeline::run(PagingState& state, std::uint32_t time_ms) const {
  const std::uint64_t end = events_.after(time_ms);
  for (std::uint64_t number = state.events() + 1; number < end; ++number)
    if (const PackedEvent* event = events_.find(number)) state.apply(number, *event);
  state.advance(time_ms);
}

}  // namespace physmem
