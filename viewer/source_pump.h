// SPDX-License-Identifier: MIT
// Moves events from a source to the feed, in the thread of the io_context.
//
// One thread does both, so no locks are needed. Folding the events of 5 ms is fast, and pages are
// polled 30 times per second.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>

#include "paging/source/event_source.h"
#include "viewer/trace_feed.h"

namespace physmem::view {

class SourcePump {
 public:
  /// `speed` returns the speed of the trace's time, 0 while paused. After `on_error`, no events
  /// follow.
  SourcePump(boost::asio::io_context& io, EventSource& source, TraceFeed& feed,
             std::function<double()> speed, std::function<void(const Error&)> on_error);

  void start() { pump(); }
  void stop();

 private:
  void pump();
  Result<EventSource::State> hand_on();
  void wait(bool was_idle);

  EventSource& source_;
  TraceFeed& feed_;
  std::function<double()> speed_;
  std::function<void(const Error&)> on_error_;
  boost::asio::steady_timer timer_;
  boost::asio::posix::stream_descriptor descriptor_;
  unsigned waits_ = 0;  ///< waits started so far; only the first one to end is used
  bool is_stopped_ = false;
};

}  // namespace physmem::view
