// SPDX-License-Identifier: MIT
#include "paging/source/event_records.h"

#include <algorithm>

#include "paging/model/paging_record.h"

namespace physmem {

void EventRecords::Waiting::on_event(const PagingEvent& event) {
  records.push_back(record_of(event));
}

void EventRecords::Waiting::on_lost(const LostEvents& lost) {
  records.push_back(record_of(lost));
}

Result<RecordSource::Taken> EventRecords::take(std::span<pm_paging_record> into) {
  if (sink_.records.empty() && !has_ended_) {
    const Result<EventSource::State> state = source_->pump(sink_, std::chrono::milliseconds(0));
    has_ended_ = !state || *state == EventSource::State::kEnd;
    if (!state) error_ = state.error();
  }
  // Records read before the error come first.
  if (error_ && sink_.records.empty()) return *error_;
  const std::size_t count = std::min(into.size(), sink_.records.size());
  const auto end = sink_.records.begin() + static_cast<std::ptrdiff_t>(count);
  std::copy(sink_.records.begin(), end, into.begin());
  sink_.records.erase(sink_.records.begin(), end);
  return Taken{count, has_ended_ && !error_ && sink_.records.empty()};
}

}  // namespace physmem
