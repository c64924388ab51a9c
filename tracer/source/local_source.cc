// SPDX-License-Identifier: MIT
#include "tracer/source/local_source.h"

#include <poll.h>

#include <utility>

#include "tracer/source/machine.h"

namespace physmem {
namespace {

constexpr std::size_t kBatch = 1024;
constexpr int kMostBatches = 16;  // of one pump(): a storm must not keep the caller from its other work

}  // namespace

LocalSource::LocalSource(std::unique_ptr<RecordSource> records, const std::string& root)
    : source_(std::move(records)), records_(source_->name(), root), batch_(kBatch) {}

Result<EventSource::State> LocalSource::pump(PagingSink& sink, std::chrono::milliseconds patience) {
  if (!std::exchange(has_begun_, true)) {
    records_.begin(sink);
    return State::kMore;
  }
  pollfd ready{source_->descriptor(), POLLIN, 0};
  ::poll(&ready, 1, static_cast<int>(patience.count()));  // a signal ends it too
  return drain(sink);
}

/// One more look: what came since, at most as much as a storm puts into the rings meanwhile.
void LocalSource::finish(PagingSink& sink) {
  if (has_begun_ && drain(sink)) records_.finish(sink);
}

Result<EventSource::State> LocalSource::drain(PagingSink& sink) {
  for (int i = 0; i < kMostBatches; ++i) {
    const Result<RecordSource::Taken> taken = source_->take(batch_);
    if (!taken) return taken.error();
    records_.add(std::span(batch_).first(taken->count), monotonic_ns(), sink);
    if (taken->has_ended) {  // of a pipe, in tests: neither the device nor a ring ever ends
      records_.finish(sink);
      return State::kEnd;
    }
    if (taken->count < batch_.size()) break;
  }
  return State::kMore;
}

}  // namespace physmem
