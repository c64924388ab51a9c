// SPDX-License-Identifier: MIT
// Restores the order of events that several CPUs recorded at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem {

/// Passes events on by ascending sequence number. An event that arrives before its predecessors
/// waits until they arrive, until more than `limit` events wait, or until settle() or flush().
/// Numbers that did not arrive by then are missing. This also determines the first number, because
/// a trace may begin in the middle.
class EventOrder : public PagingSink {
 public:
  static constexpr std::size_t kMax = 8192;  ///< events: some ms under heavy load, 1 MiB

  explicit EventOrder(PagingSink& to, std::size_t limit = kMax) : to_(&to), limit_(limit) {}
  /// Passes later events to `to`.
  void redirect(PagingSink& to) { to_ = &to; }

  /// Passes on all waiting events, then the header.
  void on_header(const TraceHeader& header) override;
  void on_event(const PagingEvent& event) override;
  /// Passed on immediately: a loss has no sequence number.
  void on_lost(const LostEvents& lost) override;

  /// Stops waiting for predecessors of events at or before `time_ns`.
  void settle(std::uint64_t time_ns);
  /// Passes on all waiting events.
  void flush();

  /// Number of sequence numbers missing between the first and the last event.
  std::uint64_t missing() const { return missing_; }
  /// Missing numbers that no loss record explains: unreported losses or filtered events.
  std::uint64_t unexplained() const { return missing_ > lost_ ? missing_ - lost_ : 0; }
  std::uint64_t lost() const { return lost_; }
  /// Events that arrived too late and were passed on out of order.
  std::uint64_t late() const { return late_; }

 private:
  void pass_first();
  void pass_successors();

  PagingSink* to_;
  std::size_t limit_;
  std::vector<PagingEvent> waiting_;   // a heap with the lowest sequence first
  std::optional<std::uint64_t> next_;  // the next sequence to pass on
  std::uint64_t missing_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t late_ = 0;
};

}  // namespace physmem
