// SPDX-License-Identifier: MIT
// What a snapshot becomes: a stream of events, in the order of the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/model/header.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/model/task.h"
#include "analyzer/model/vma.h"

namespace physmem {

struct Counter {
  std::string_view name;
  std::uint64_t value = 0;
};

/// What E: says that a reader cannot count itself.
struct SnapshotEnd {
  std::uint64_t excluded = 0;  ///< pages of the snapshot whose contents its dump does not hold
};

/// Receives one snapshot. Of one area: on_vma, on_counts, then on_pages and on_swapped as often as
/// it takes; and on_counts again when the area changed while it was collected: the last ones hold.
class Events {
 public:
  virtual ~Events() = default;
  virtual void on_header(const Header&) {}
  virtual void on_counters(std::span<const Counter>) {}
  virtual void on_task(Task&&) {}
  virtual void on_vma(Vma&&) {}
  virtual void on_counts(const PageCounts&) {}
  virtual void on_pages(std::span<const PageRun>, const PageSums&) {}
  virtual void on_swapped(std::span<const SwapEntry>) {}
  virtual void on_frames(const FrameRun&) {}
  /// A version 1 line `...`: what comes after the last entry or area was left out of the file.
  virtual void on_elided() {}
  /// The snapshot is over: its E: line, or the end of a version 1 file.
  virtual void on_end(const SnapshotEnd&) {}
};

}  // namespace physmem
