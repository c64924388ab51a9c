// SPDX-License-Identifier: MIT
// Who swaps: sums of a trace by process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem {

struct PagingTotal {
  std::uint32_t tgid = 0;  ///< 0: not known; swap-outs without owner
  std::string comm = {};   ///< of the thread that was seen last
  std::uint64_t reads =
      0;  ///< pages that were read back from the device, those read ahead among them
  std::uint64_t readahead = 0;  ///< of the reads
  std::uint64_t hits = 0;       ///< faults that found the page in the swap cache
  std::uint64_t unmoved = 0;    ///< compressed, or pages of zeros: nothing was read or written
  std::uint64_t writes = 0;     ///< pages that were written to the device
  std::uint64_t concluded = 0;  ///< of the writes: the process is whom the frame was last seen with
                                ///< (PM_PAGING_OWNER_KEPT)
  std::uint64_t major = 0;
  std::uint64_t timed = 0;       ///< swap-ins of which the service time is known; hits are none
  std::uint64_t service_ns = 0;  ///< sum over `timed`
  std::uint64_t longest_ns = 0;
};

class PagingTotals : public PagingSink {
 public:
  /// Processes that are kept apart; all further ones are one, of tgid 0 and the name `other`.
  static constexpr std::size_t kMaxProcesses = 65536;

  void on_header(const TraceHeader& /*header*/) override {}
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override { lost_ += lost.count; }

  /// The busiest first; by tgid where that is the same.
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

/// Adds `more` to `to`, whose name stays.
void add_total(PagingTotal& to, const PagingTotal& more);

}  // namespace physmem
