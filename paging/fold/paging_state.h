// SPDX-License-Identifier: MIT
// The state of a trace at one moment: all folds over its events.
#pragma once

#include <cstdint>

#include "paging/fold/contiguity.h"
#include "paging/fold/page_activity.h"
#include "paging/fold/paging_rates.h"
#include "paging/fold/process_activity.h"
#include "paging/model/packed_event.h"

namespace physmem {

struct PagingSums {
  std::uint64_t ins = 0;  ///< without cache hits
  std::uint64_t outs = 0;
  std::uint64_t readahead = 0;  ///< of ins
  std::uint64_t hits = 0;
  std::uint64_t major = 0;
  std::uint64_t lost = 0;

  friend bool operator==(const PagingSums&, const PagingSums&) = default;
};

/// Limits for the remembered parts of memory, swap and address spaces.
struct PagingRoom {
  std::size_t blocks = PageActivity::kMaxBlocks;
  std::size_t tables = VirtualPages::kMaxTables;
};

/// Copies are cheap: large data is shared until one of the copies changes it.
class PagingState {
 public:
  explicit PagingState(unsigned page_shift = 12, PagingRoom room = {})
      : page_shift_(page_shift), pages_(room.blocks), virtual_pages_(room.tables) {}

  /// `number` is the number in the history, from 1.
  void apply(std::uint64_t number, const PackedEvent& event);
  /// Time passes without events.
  void advance(std::uint32_t now_ms);

  std::uint64_t events() const { return events_; }      ///< number of the last one
  std::uint32_t event_ms() const { return event_ms_; }  ///< time of the last one
  std::uint32_t now_ms() const { return now_ms_; }      ///< not less than event_ms()
  const PagingSums& sums() const { return sums_; }
  const PageActivity& pages() const { return pages_; }
  const VirtualPages& virtual_pages() const { return virtual_pages_; }
  const ProcessActivity& processes() const { return processes_; }
  const PagingRates& rates() const { return rates_; }

  std::uint64_t page_number(std::uint64_t address) const { return address >> page_shift_; }
  std::uint64_t page_begin(std::uint64_t address) const {
    return page_number(address) << page_shift_;
  }
  PagePlace place(std::uint32_t tgid, std::uint64_t address) const {
    return virtual_pages_.find(tgid, page_number(address));
  }

 private:
  void count(const PackedEvent& event);
  void erase_former(const PackedEvent& event);
  void place(const PackedEvent& event);

  unsigned page_shift_;
  std::uint64_t events_ = 0;
  std::uint32_t event_ms_ = 0;
  std::uint32_t now_ms_ = 0;
  PagingSums sums_;
  PageActivity pages_;
  VirtualPages virtual_pages_;
  ProcessActivity processes_;
  PagingRates rates_;
};

}  // namespace physmem
