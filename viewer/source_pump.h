// SPDX-License-Identifier: MIT
// Takes events out of a source and puts them into the feed, in the thread of the io_context.
//
// One thread for both: a round of the folds over what came in 5 ms is short, pages are polled 30
// times a second, and nothing needs a lock.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>

#include "tracer/source/event_source.h"
#include "viewer/trace_feed.h"

namespace physmem::view {

class SourcePump {
 public:
  /// `speed`: of the trace's time, 0 while it stands still. `on_error`: nothing follows.
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
  unsigned waits_ = 0;  ///< of the waits that were begun only the first to end counts
  bool is_stopped_ = false;
};

}  // namespace physmem::view
