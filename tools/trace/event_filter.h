// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem::record {

/// Passes on and counts the events of selected (or all) processes or threads, except this program's
/// own events.
class EventFilter : public PagingSink {
 public:
  /// `own` is the process whose events are left out; 0: no process. Empty `pids`: all processes.
  EventFilter(PagingSink& to, std::vector<std::uint32_t> pids, std::uint32_t own);

  void on_header(const TraceHeader& header) override { to_.on_header(header); }
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override;

  std::uint64_t ins() const { return ins_; }  ///< pages moved
  /// Faults that moved no page: found in the swap cache, retried, failed.
  std::uint64_t unmoved() const { return unmoved_; }
  std::uint64_t outs() const { return outs_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t own() const { return own_events_; }  ///< events of this program, left out
  std::uint64_t first_ns() const { return first_ns_; }
  std::uint64_t last_ns() const { return last_ns_; }

 private:
  bool is_wanted(const PagingEvent& event) const;

  PagingSink& to_;
  std::vector<std::uint32_t> pids_;  // ascending
  std::uint32_t own_;
  std::uint64_t ins_ = 0;
  std::uint64_t unmoved_ = 0;
  std::uint64_t outs_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t own_events_ = 0;
  std::uint64_t first_ns_ = 0;
  std::uint64_t last_ns_ = 0;
};

}  // namespace physmem::record
