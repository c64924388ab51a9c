// SPDX-License-Identifier: MIT
// A paging event in 64 bytes. A million of them can be kept in memory and replayed through the
// folds.
#pragma once

#include <cstdint>

#include "formats/emit/paging_record.h"
#include "paging/model/paging_event.h"

namespace physmem {

/// The fields of pm_paging_record. Times count from the beginning of the trace; names are numbers
/// in a NameTable. PM_PAGING_LOST uses only `slot`: the number of lost events.
struct PackedEvent {
  static constexpr std::uint32_t kNoService = ~std::uint32_t{0};

  std::uint64_t sequence = 0;
  std::uint64_t address = PM_PAGING_UNKNOWN;
  std::uint64_t pfn = PM_PAGING_UNKNOWN;
  std::uint64_t slot = PM_PAGING_UNKNOWN;
  std::uint64_t sector = PM_PAGING_UNKNOWN;
  std::uint32_t time_ms = 0;  ///< not less than the time of the previous event
  std::uint32_t service_us = kNoService;
  std::uint32_t pid = 0;   ///< 0: not known
  std::uint32_t tgid = 0;  ///< 0: not known
  std::uint32_t comm = 0;  ///< number in a NameTable
  std::uint16_t flags = 0;
  std::uint8_t kind = 0;  ///< pm_paging_kind
  std::uint8_t swap_type = PM_PAGING_NO_TYPE;

  bool has(pm_paging_flag flag) const { return (flags & flag) != 0; }
  bool is_in() const { return kind == PM_PAGING_IN; }
  /// True if a page moved. Swap-cache hits and faults that will be retried move no page.
  bool is_move() const { return kind != PM_PAGING_LOST && (flags & kPagingMoveFlags) != 0; }
  bool has_page() const { return tgid != 0 && address != PM_PAGING_UNKNOWN; }
  bool has_slot() const { return slot != PM_PAGING_UNKNOWN && swap_type != PM_PAGING_NO_TYPE; }
};
static_assert(sizeof(PackedEvent) == 64);

}  // namespace physmem
