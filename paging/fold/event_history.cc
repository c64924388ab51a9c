// SPDX-License-Identifier: MIT
#include "paging/fold/event_history.h"

namespace physmem {

std::uint64_t EventHistory::push(const PackedEvent& event) {
  if (events_.size() < capacity_)
    events_.push_back(event);
  else
    events_[(end_ - 1) % capacity_] = event;
  return end_++;
}

std::uint64_t EventHistory::after(std::uint32_t time_ms) const {
  std::uint64_t low = first();
  std::uint64_t high = end_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (find(middle)->time_ms > time_ms)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace physmem
