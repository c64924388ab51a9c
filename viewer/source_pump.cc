// SPDX-License-Identifier: MIT
#include "viewer/source_pump.h"

#include <unistd.h>

#include <chrono>
#include <new>
#include <utility>

#include "program/memory_limit.h"

namespace physmem::view {
namespace {

using namespace std::chrono_literals;

/// Delay between two polls of a source with events. Batches keep the cost of wake-ups low.
constexpr auto kBusy = 5ms;
/// The same for a source without events, so that time advances on the pages.
constexpr auto kIdle = 20ms;

}  // namespace

SourcePump::SourcePump(boost::asio::io_context& io, EventSource& source, TraceFeed& feed,
                       std::function<double()> speed, std::function<void(const Error&)> on_error)
    : source_(source),
      feed_(feed),
      speed_(std::move(speed)),
      on_error_(std::move(on_error)),
      timer_(io),
      descriptor_(io) {}

void SourcePump::stop() {
  is_stopped_ = true;
  boost::system::error_code ignored;
  timer_.cancel();
  descriptor_.close(ignored);
}

/// If memory runs out, the pages still show the earlier events.
Result<EventSource::State> SourcePump::hand_on() {
  try {
    feed_.at(TraceFeed::Clock::now(), speed_());
    return source_.pump(feed_, 0ms);
  } catch (const std::bad_alloc&) {
    return Error{Error::Kind::kIo, memory_refusal("keeping the trace's events",
                                                  "allow more, or a shorter --history")};
  }
}

void SourcePump::pump() {
  const std::uint64_t before = feed_.timeline().present().events();
  const auto state = hand_on();
  feed_.trouble = state ? source_.trouble() : state.error().text;
  if (!state || *state == EventSource::State::kEnd) {
    feed_.has_ended = true;
    if (!state) on_error_(state.error());
    return stop();
  }
  wait(feed_.timeline().present().events() == before);
}

void SourcePump::wait(bool was_idle) {
  const unsigned wait = ++waits_;
  const auto next = [this, wait](const boost::system::error_code& error) {
    if (error || wait != waits_ || is_stopped_) return;
    ++waits_;
    pump();
  };
  timer_.expires_after(was_idle ? kIdle : kBusy);
  timer_.async_wait(next);
  if (!was_idle || source_.descriptor() < 0) return;
  // A duplicate, because asio closes its descriptor. The source may have opened a new one since.
  boost::system::error_code ignored;
  descriptor_.close(ignored);
  const int copy = ::dup(source_.descriptor());
  if (copy < 0) return;
  descriptor_.assign(copy, ignored);
  descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read, next);
}

}  // namespace physmem::view
