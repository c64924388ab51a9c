// SPDX-License-Identifier: MIT
// Passes a source's events to the folds. It never waits for a page and has no queue.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "paging/fold/frame_owner.h"
#include "paging/fold/name_table.h"
#include "paging/fold/paging_timeline.h"
#include "paging/parse/paging_sink.h"

namespace physmem::view {

class TraceFeed : public PagingSink {
 public:
  using Clock = std::chrono::steady_clock;

  /// A swap-out without an owner in the trace gets the last known owner of its frame, as in
  /// physmem-trace. `owned_frames`: limit of FrameOwner; 0: no owner is inferred.
  explicit TraceFeed(PagingTimeline::Limits limits = {},
                     std::size_t owned_frames = FrameOwner::kMax);

  void on_header(const TraceHeader& header) override;
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override;

  /// Must be called before events are passed on, and also if there are no events. `speed` is the
  /// speed of the trace's time, 0 while it is paused.
  void at(Clock::time_point now, double speed);

  bool has_header() const { return headers_ != 0; }
  const TraceHeader& header() const { return header_; }
  /// Number of headers so far. After a change, the pages need the new header.
  std::uint64_t headers() const { return headers_; }
  /// Number of resets, which follow a reboot of the traced machine.
  std::uint64_t generation() const { return generation_; }
  const PagingTimeline& timeline() const { return *timeline_; }
  const NameTable& names() const { return names_; }
  /// Time of day at t = 0, in ms since 1970.
  std::int64_t wall_ms() const;

  bool has_ended = false;  ///< no events will follow
  std::string trouble;     ///< the current problem of the source; empty: no problem

 private:
  std::uint32_t time_ms(std::uint64_t time_ns);
  void reset();

  PagingTimeline::Limits limits_;
  std::size_t owned_frames_;
  FrameOwner owners_;
  TraceHeader header_;
  std::uint64_t headers_ = 0;
  std::uint64_t generation_ = 0;
  std::unique_ptr<PagingTimeline> timeline_;
  NameTable names_;
  bool has_events_ = false;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t last_ns_ = 0;
  Clock::time_point now_{};
  double ahead_ms_ = 0;  ///< time of the trace since its last event
};

}  // namespace physmem::view
