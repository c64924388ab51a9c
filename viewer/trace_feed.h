// SPDX-License-Identifier: MIT
// Where a source's events go: into the folds. Nothing waits for a page here, and nothing is queued.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "paging/fold/name_table.h"
#include "paging/fold/paging_timeline.h"
#include "paging/parse/paging_sink.h"

namespace physmem::view {

class TraceFeed : public PagingSink {
 public:
  using Clock = std::chrono::steady_clock;

  /// `keep_owners`: a swap-out of which the trace does not tell whose page it was gets whose its
  /// frame had last.
  explicit TraceFeed(PagingTimeline::Limits limits = {}, bool keep_owners = true);

  void on_header(const TraceHeader& header) override;
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override;

  /// To be called before events are handed on, and when there are none. `speed`: of the trace's
  /// time, 0 while it stands still.
  void at(Clock::time_point now, double speed);

  bool has_header() const { return headers_ != 0; }
  const TraceHeader& header() const { return header_; }
  /// How many headers came; another one is to be told to the pages.
  std::uint64_t headers() const { return headers_; }
  /// How often everything began anew: the machine was started again.
  std::uint64_t beginnings() const { return beginnings_; }
  const PagingTimeline& timeline() const { return *timeline_; }
  const NameTable& names() const { return names_; }
  /// Time of day at t 0, ms since 1970.
  std::int64_t wall_ms() const;

  bool has_ended = false;  ///< nothing will follow
  std::string trouble;     ///< of what the events come from, as it is now; empty: none

 private:
  std::uint32_t time_ms(std::uint64_t time_ns);
  void conclude_owner(PackedEvent& event) const;
  void reset();

  PagingTimeline::Limits limits_;
  bool keep_owners_;
  TraceHeader header_;
  std::uint64_t headers_ = 0;
  std::uint64_t beginnings_ = 0;
  std::unique_ptr<PagingTimeline> timeline_;
  NameTable names_;
  bool has_events_ = false;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t last_ns_ = 0;
  Clock::time_point now_{};
  double ahead_ms_ = 0;  ///< of the trace's time since its last event
};

}  // namespace physmem::view
