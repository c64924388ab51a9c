// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "collector-proc/address_spaces.h"
#include "collector-proc/collect.h"
#include "collector-proc/frame_cache.h"
#include "collector-proc/losses.h"
#include "collector-proc/page_walk.h"
#include "collector-proc/process_reader.h"
#include "collector-proc/snapshot_writer.h"

namespace physmem::collect {

/// What all walks of one snapshot share.
struct SnapshotFrame {
  std::uint64_t page_size = 0;
  std::uint64_t swap_devices = 0;
  bool is_swap_in_use = false;
  FrameTable* frames = nullptr;  // nullptr: frame numbers are hidden or not asked for
};

/// Reads one process after the other and writes its records: one thread's work.
class ProcessWalk {
 public:
  /// Tree and scope must outlive it.
  ProcessWalk(const ProcTree& tree, const Scope& scope) : tree_(tree), scope_(scope) {}

  /// Another snapshot; what it lost is counted anew.
  void begin_snapshot(const SnapshotFrame& frame);
  /// Between snapshots nothing is held but text buffers: no frames of old, no process that would
  /// end.
  void forget();

  /// Opens a process, which may have ended, and asks whose address space it has: all processes of a
  /// snapshot in their order, one at a time, since it belongs to the first that is met.
  Status open(Pid pid, AddressSpaces& spaces);
  /// Writes what was opened, unless it is to stop. The output is where the writer writes to.
  Status write(SnapshotWriter& writer, const Output& output, std::stop_token stop = {});

  Losses losses() const;

 private:
  std::uint64_t owner_of(AddressSpaces& spaces);
  Status find_areas();
  Status find_shared_swap();
  void add_shared_swap(const Area& area, pm_page_counts& counts);
  Status write_threads();
  Status write_areas();
  Status write_walked_areas();
  void write_area(const Area& area, pm_page_counts counts);
  Status stop_reason() const;

  const ProcTree& tree_;
  const Scope& scope_;
  ProcessReader reader_{tree_};

  SnapshotFrame frame_;
  std::optional<FrameCache> frames_;
  std::optional<PageWalk> walk_;
  Losses losses_;

  Process process_;
  bool is_there_ = false;
  std::uint64_t mm_ = 0;
  bool has_areas_ = false;
  std::uint64_t read_at_ns_ = 0;
  AreaSource source_;
  AreaSource smaps_;            // empty unless the process may have shared memory in swap
  std::size_t smaps_area_ = 0;  // of smaps_, the next one to compare
  AreaPages pages_;
  SnapshotWriter* writer_ = nullptr;
  const Output* output_ = nullptr;
  std::stop_token stop_;
};

/// Why to stop before the end: a signal, or an output that takes no more.
Status stop_reason(const SnapshotWriter& writer, const Output& output);

}  // namespace physmem::collect
