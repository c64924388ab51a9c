// SPDX-License-Identifier: MIT
// The present of a trace, and its past as far as it is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "paging/fold/event_history.h"
#include "paging/fold/paging_state.h"

namespace physmem {

/// A past moment is the state kept before it, with the events between run over it again: the folds
/// of the present make the past, so that both agree by construction.
///
/// Memory: the events (64 bytes each), and states kept every `step` of them. These share with the
/// present what did not change; when they hold more than as much again (and 1024 blocks, or
/// room.blocks), the oldest goes, and the past begins later.
class PagingTimeline {
 public:
  struct Limits {
    std::size_t events = EventHistory::kCapacity;
    std::size_t step = EventHistory::kCapacity / 8;  ///< events between two states that are kept
    PagingRoom room = {};                            ///< of each state
  };

  explicit PagingTimeline(unsigned page_shift = 12) : PagingTimeline(page_shift, Limits{}) {}
  PagingTimeline(unsigned page_shift, Limits limits);

  /// The event's time is raised to that of the one before.
  void add(PackedEvent event);
  void advance(std::uint32_t now_ms) { present_.advance(now_ms); }

  const PagingState& present() const { return present_; }
  const EventHistory& events() const { return events_; }
  /// The first moment that at() can show.
  std::uint32_t history_from_ms() const;
  /// With all events up to `time_ms` and none later.
  PagingState at(std::uint32_t time_ms) const;
  /// The same for a state of ours that may be near: forwards it costs only the events between.
  void move(PagingState& state, std::uint32_t time_ms) const;

 private:
  void run(PagingState& state, std::uint32_t time_ms) const;
  void drop_old_states();

  Limits limits_;
  EventHistory events_;
  PagingState present_;
  std::deque<PagingState> kept_;  ///< ascending; the first is the begin of history
};

}  // namespace physmem
