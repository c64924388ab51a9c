// SPDX-License-Identifier: MIT
// A snapshot as a stream of events, in the order of the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/model/header.h"
#include "analyzer/model/holder.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/model/ram.h"
#include "analyzer/model/task.h"
#include "analyzer/model/vma.h"

namespace physmem {

struct Counter {
  std::string_view name;
  std::uint64_t value = 0;
};

/// Facts of E: that a reader cannot count itself.
struct SnapshotEnd {
  std::uint64_t excluded = 0;  ///< pages of the snapshot whose contents its dump does not hold
};

/// Receives one snapshot. For each area: on_vma, on_counts, then any number of on_pages and
/// on_swapped. If the area changed while it was collected, on_counts is called again; the last
/// counts are valid.
class Events {
 public:
  virtual ~Events() = default;
  virtual void on_header(const Header&) {}
  virtual void on_counters(std::span<const Counter>) {}
  /// Before the first task.
  virtual void on_holder(Holder&&) {}
  virtual void on_task(Task&&) {}
  virtual void on_vma(Vma&&) {}
  virtual void on_counts(const PageCounts&) {}
  virtual void on_pages(std::span<const PageRun>, const PageSums&) {}
  virtual void on_swapped(std::span<const SwapEntry>) {}
  virtual void on_zone(const Zone&) {}
  /// An owner comes before the first run that has it.
  virtual void on_owner(RamOwner&&) {}
  /// Runs ascend and do not overlap.
  virtual void on_ram(const RamRun&) {}
  /// A version 1 line `...`: the file omits what follows the last entry or area.
  virtual void on_elided() {}
  /// The snapshot is over: its E: line, or the end of a version 1 file.
  virtual void on_end(const SnapshotEnd&) {}
};

}  // namespace physmem
