// SPDX-License-Identifier: MIT
// Several processors write events at the same time: this puts them back into the order in which
// they happened.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem {

/// Hands events on by ascending sequence number. One that comes before its predecessors waits,
/// until they come, until more than `most` wait, or until settle() or flush(). Then the numbers
/// between are missing. The very first number is known by then too: a trace may begin in the
/// middle.
class EventOrder : public PagingSink {
 public:
  static constexpr std::size_t kMax = 8192;  ///< events: some ms of a storm, 1 MiB

  explicit EventOrder(PagingSink& to, std::size_t most = kMax) : to_(&to), most_(most) {}
  /// From now on to this one.
  void redirect(PagingSink& to) { to_ = &to; }

  /// Hands on what waits, then the header.
  void on_header(const TraceHeader& header) override;
  void on_event(const PagingEvent& event) override;
  /// At once: a loss has no number.
  void on_lost(const LostEvents& lost) override;

  /// Waits no longer for what belongs before the events of this time and earlier.
  void settle(std::uint64_t time_ns);
  /// Hands on all that waits.
  void flush();

  /// Numbers between the first and the last event that no event had.
  std::uint64_t missing() const { return missing_; }
  /// Of them those that no loss accounts for: lost without a word, or left out by a filter.
  std::uint64_t unexplained() const { return missing_ > lost_ ? missing_ - lost_ : 0; }
  std::uint64_t lost() const { return lost_; }
  /// Events that came when their place had passed; they were handed on out of order.
  std::uint64_t late() const { return late_; }

 private:
  void pass_first();
  void pass_successors();

  PagingSink* to_;
  std::size_t most_;
  std::vector<PagingEvent> waiting_;   // a heap, the least sequence in front
  std::optional<std::uint64_t> next_;  // the sequence that follows what was handed on
  std::uint64_t missing_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t late_ = 0;
};

}  // namespace physmem
