// SPDX-License-Identifier: MIT
// The current state of a trace and, within limits, its past states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "paging/fold/event_history.h"
#include "paging/fold/paging_state.h"

namespace physmem {

/// A past state is computed from the nearest earlier stored state by applying the events in
/// between. The same folds produce present and past, so both agree by construction.
///
/// Memory: the events (64 bytes each), and one stored state per `step` events. Stored states share
/// unchanged data with the present. The oldest state is dropped, and the history begins later, when
/// the other blocks outnumber the present state's by more than 1024 (or room.blocks, if less).
class PagingTimeline {
 public:
  struct Limits {
    std::size_t events = EventHistory::kCapacity;
    std::size_t step = EventHistory::kCapacity / 8;  ///< events between two stored states
    PagingRoom room = {};                            ///< of each state
  };

  explicit PagingTimeline(unsigned page_shift = 12) : PagingTimeline(page_shift, Limits{}) {}
  PagingTimeline(unsigned page_shift, Limits limits);

  /// An event time earlier than the previous one is raised to it.
  void add(PackedEvent event);
  void advance(std::uint32_t now_ms) { present_.advance(now_ms); }

  const PagingState& present() const { return present_; }
  const EventHistory& events() const { return events_; }
  /// The earliest moment that at() supports.
  std::uint32_t history_from_ms() const;
  /// The state after all events up to and including `time_ms`.
  PagingState at(std::uint32_t time_ms) const;
  /// Like at(), but starts from `state`. Moving forwards costs only the events in between.
  void move(PagingState& state, std::uint32_t time_ms) const;

 private:
  void run(PagingState& state, std::uint32_t time_ms) const;
  void drop_old_states();

  Limits limits_;
  EventHistory events_;
  PagingState present_;
  std::deque<PagingState> kept_;  ///< ascending; the first is the beginning of the history
};

}  // namespace physmem
