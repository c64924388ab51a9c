// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/frame_cache.h"
#include "collector-proc/page_walk.h"
#include "formats/emit/emit.h"
#include "formats/emit/ram.h"
#include "formats/output/output.h"

namespace physmem::collect {

/// Writes records through the emitter and counts them, so that the E: record always matches them.
class SnapshotWriter {
 public:
  SnapshotWriter();
  SnapshotWriter(const SnapshotWriter&) = delete;
  SnapshotWriter& operator=(const SnapshotWriter&) = delete;

  /// Begins a snapshot and resets the counts. Called before header().
  void begin(Output& output);
  void header(const pm_header& header);
  void counters(const std::vector<Counter>& counters);
  void task(const pm_task& task);
  void zone(const pm_zone& zone) { pm_emit_zone(&out_, &zone); }
  void zone_place(const pm_zone& zone) { pm_emit_zone_place(&out_, &zone); }
  /// A VMA with its counts: V: and P:.
  void area(const pm_vma& vma, const pm_page_counts& counts);
  void pages(const AreaPages& pages, FrameCache& frames, std::uint64_t page_size);
  /// Writes all buffered text to the output.
  void flush() { pm_out_flush(&out_); }
  /// Writes E: and flushes. The counts include the records of other writers.
  void end(const pm_end& others = {});

  /// The first error of the output; 0: none. After an error nothing more is written.
  int error() const { return out_.error; }
  /// For a writer of other records.
  pm_out& out() { return out_; }
  const pm_end& totals() const { return totals_; }

 private:
  std::vector<char> buffer_;
  pm_out out_;
  pm_end totals_{};
};

}  // namespace physmem::collect
