// SPDX-License-Identifier: MIT
// Totals of a trace by process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem {

struct PagingTotal {
  std::uint32_t tgid = 0;       ///< 0: unknown, swap-outs without owner
  std::string comm = {};        ///< of the last thread seen
  std::uint64_t reads = 0;      ///< pages read from the device, including readahead
  std::uint64_t readahead = 0;  ///< of the reads
  std::uint64_t hits = 0;       ///< faults that found the page in the swap cache
  std::uint64_t unmoved = 0;    ///< compressed pages or zero pages, without device I/O
  std::uint64_t writes = 0;     ///< pages written to the device
  std::uint64_t inferred = 0;   ///< writes with an inferred owner (PM_PAGING_OWNER_KEPT)
  std::uint64_t major = 0;
  std::uint64_t timed = 0;       ///< swap-ins whose service time is known, without hits
  std::uint64_t service_ns = 0;  ///< sum over `timed`
  std::uint64_t longest_ns = 0;
};

class PagingTotals : public PagingSink {
 public:
  /// Maximum number of separate processes. All others are added up as tgid 0 with the name `other`.
  static constexpr std::size_t kMaxProcesses = 65536;

  void on_header(const TraceHeader& /*header*/) override {}
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override { lost_ += lost.count; }

  /// The busiest process first, then by tgid.
  std::vector<PagingTotal> by_process() const;
  PagingTotal sum() const;
  std::uint64_t lost() const { return lost_; }
  std::uint64_t first_ns() const { return first_ns_; }
  std::uint64_t last_ns() const { return last_ns_; }

 private:
  PagingTotal& total_of(const PagingEvent& event);

  std::map<std::uint32_t, PagingTotal> totals_;
  PagingTotal other_;
  bool has_any_ = false;
  std::uint64_t lost_ = 0;
  std::uint64_t first_ns_ = 0;
  std::uint64_t last_ns_ = 0;
};

/// Adds `more` to `to`, which keeps its name.
void add_total(PagingTotal& to, const PagingTotal& more);

}  // namespace physmem
