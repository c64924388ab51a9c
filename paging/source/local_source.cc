// SPDX-License-Identifier: MIT
#include "paging/source/local_source.h"

#include <utility>

namespace physmem {
namespace {

constexpr std::size_t kRecordsAtOnce = 1024;
constexpr int kMaxBatches =
    16;  // of one pump(): a storm must not keep the caller from its other work

}  // namespace

LocalSource::LocalSource(std::unique_ptr<RecordSource> records, const std::string& root,
                         Clock& clock)
    : source_(std::move(records)),
      clock_(clock),
      records_(source_->name(), clock.now_ns(), root),
      batch_(kRecordsAtOnce) {}

Result<EventSource::State> LocalSource::pump(PagingSink& sink, std::chrono::milliseconds timeout) {
  if (!std::exchange(has_begun_, true)) {
    records_.begin(sink);
    return State::kMore;
  }
  pollfd ready{source_->descriptor(), POLLIN, 0};
  clock_.wait_for(timeout, {&ready, 1});
  return drain(sink);
}

/// Drains once more, bounded, because new events may arrive in the meantime.
void LocalSource::finish(PagingSink& sink) {
  if (has_begun_ && drain(sink)) records_.finish(clock_.now_ns(), sink);
}

Result<EventSource::State> LocalSource::drain(PagingSink& sink) {
  for (int i = 0; i < kMaxBatches; ++i) {
    const Result<RecordSource::Taken> taken = source_->take(batch_);
    if (!taken) return taken.error();
    records_.add(std::span(batch_).first(taken->count), clock_.now_ns(), sink);
    if (taken->has_ended) {  // only for a pipe in tests; the device and the ring never end
      records_.finish(clock_.now_ns(), sink);
      return State::kEnd;
    }
    if (taken->count < batch_.size()) break;
  }
  return State::kMore;
}

}  // namespace physmem
