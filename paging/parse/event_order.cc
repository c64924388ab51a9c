// SPDX-License-Identifier: MIT
#include "paging/parse/event_order.h"

#include <algorithm>
#include <utility>

namespace physmem {
namespace {

bool comes_later(const PagingEvent& a, const PagingEvent& b) {
  return a.sequence > b.sequence;
}

}  // namespace

void EventOrder::on_header(const TraceHeader& header) {
  flush();
  to_->on_header(header);
}

void EventOrder::on_lost(const LostEvents& lost) {
  lost_ += lost.count;
  to_->on_lost(lost);
}

void EventOrder::on_event(const PagingEvent& event) {
  if (event.sequence == next_.value_or(1)) {
    next_ = event.sequence + 1;
    to_->on_event(event);
    return pass_successors();
  }
  if (next_ && event.sequence < *next_) {
    ++late_;
    missing_ -= std::min<std::uint64_t>(missing_, 1);
    return to_->on_event(event);
  }
  waiting_.push_back(event);
  std::push_heap(waiting_.begin(), waiting_.end(), comes_later);
  if (waiting_.size() <= limit_) return;
  pass_first();
  pass_successors();
}

/// Passes the first event on, even if earlier numbers are missing.
void EventOrder::pass_first() {
  std::pop_heap(waiting_.begin(), waiting_.end(), comes_later);
  const PagingEvent event = std::move(waiting_.back());
  waiting_.pop_back();
  if (next_ && event.sequence < *next_)
    ++late_;  // duplicate number
  else
    missing_ += event.sequence - next_.value_or(event.sequence);
  next_ = std::max(next_.value_or(0), event.sequence + 1);
  to_->on_event(event);
}

void EventOrder::pass_successors() {
  while (!waiting_.empty() && waiting_.front().sequence <= *next_) pass_first();
}

void EventOrder::settle(std::uint64_t time_ns) {
  while (!waiting_.empty() && waiting_.front().time_ns <= time_ns) {
    pass_first();
    pass_successors();
  }
}

void EventOrder::flush() {
  while (!waiting_.empty()) pass_first();
}

}  // namespace physmem
