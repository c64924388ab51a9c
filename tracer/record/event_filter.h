// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem::record {

/// Passes on the events of some processes or threads, or of all, and never those of this program.
/// Counts on the way.
class EventFilter : public PagingSink {
 public:
  /// `own`: the process whose events are left out; 0: nobody's. `pids` empty: all.
  EventFilter(PagingSink& to, std::vector<std::uint32_t> pids, std::uint32_t own);

  void on_header(const TraceHeader& header) override { to_.on_header(header); }
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override;

  std::uint64_t ins() const { return ins_; }  ///< pages that were moved
  std::uint64_t unmoved() const {
    return unmoved_;
  }  ///< faults that moved none: found in the swap cache, tried again, failed
  std::uint64_t outs() const { return outs_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t own() const { return own_events_; }  ///< this program's, left out
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
