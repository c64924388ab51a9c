// SPDX-License-Identifier: MIT
#include "tools/trace/event_filter.h"

#include <algorithm>
#include <utility>

namespace physmem::record {

EventFilter::EventFilter(PagingSink& to, std::vector<std::uint32_t> pids, std::uint32_t own)
    : to_(to), pids_(std::move(pids)), own_(own) {
  std::sort(pids_.begin(), pids_.end());
}

bool EventFilter::is_wanted(const PagingEvent& event) const {
  if (pids_.empty()) return true;
  const auto is_listed = [this](std::optional<std::uint32_t> id) {
    return id && std::binary_search(pids_.begin(), pids_.end(), *id);
  };
  return is_listed(event.pid) || is_listed(event.tgid);
}

void EventFilter::on_event(const PagingEvent& event) {
  if (own_ != 0 && event.tgid == own_) {
    ++own_events_;
    return;
  }
  if (!is_wanted(event)) return;
  if (ins_ + unmoved_ + outs_ == 0) first_ns_ = event.time_ns;
  last_ns_ = std::max(last_ns_, event.time_ns);
  ++(event.kind == PagingKind::kOut ? outs_ : event.is_move() ? ins_ : unmoved_);
  to_.on_event(event);
}

void EventFilter::on_lost(const LostEvents& lost) {
  lost_ += lost.count;
  to_.on_lost(lost);
}

}  // namespace physmem::record
