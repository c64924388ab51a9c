// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "collector-proc/address_spaces.h"
#include "collector-proc/frame_cache.h"
#include "collector-proc/group_pressure.h"
#include "collector-proc/losses.h"
#include "collector-proc/page_walk.h"
#include "collector-proc/process_reader.h"
#include "collector-proc/scope.h"
#include "collector-proc/snapshot_writer.h"

namespace physmem::collect {

/// Properties of a snapshot that all of its walks share.
struct SnapshotFrame {
  std::uint64_t page_size = 0;
  std::uint64_t swap_devices = 0;
  bool is_swap_in_use = false;
  std::optional<std::uint64_t> stalled_us = {};  // of the machine, for memory, since boot
  FrameTable* frames = nullptr;  // nullptr: frame numbers are hidden or not requested
};

/// Reads processes, one at a time, and writes their records. Used by one thread.
class ProcessWalk {
 public:
  /// Tree and scope must outlive it.
  ProcessWalk(const ProcTree& tree, const Scope& scope) : tree_(tree), scope_(scope) {}

  /// Begins a snapshot and resets the losses.
  void begin_snapshot(const SnapshotFrame& frame);
  /// Releases everything except text buffers, so that no old frames or processes are kept between
  /// snapshots.
  void release();

  /// Opens a process, which may have ended, and finds the owner of its address space. Must be
  /// called for all processes of a snapshot in order, one at a time, because the first process with
  /// an address space owns it.
  Status open(Pid pid, AddressSpaces& spaces);
  /// Writes the opened process, unless a stop is requested. output: the destination of the writer.
  Status write(SnapshotWriter& writer, const Output& output, std::stop_token stop = {});

  Losses losses() const;

 private:
  std::uint64_t owner_of(AddressSpaces& spaces);
  Status find_areas();
  void add_hidden();
  /// Writes what every user may know of a process whose areas cannot be read.
  void write_sizes();
  Status find_shared_swap();
  void add_shared_swap(const Area& area, pm_page_counts& counts);
  void write_page_tables();
  /// Writes when the process was read, and what its cgroup stalled.
  void write_moment();
  Status write_threads();
  Status write_areas();
  Status write_walked_areas();
  void write_area(const Area& area, pm_page_counts counts);
  Status stop_reason() const;

  const ProcTree& tree_;
  const Scope& scope_;
  ProcessReader reader_{tree_};
  GroupPressure groups_{scope_.sys_root};

  SnapshotFrame frame_;
  std::optional<FrameCache> frames_;
  std::optional<PageWalk> walk_;
  Losses losses_;

  Process process_;
  bool exists_ = false;
  std::uint64_t mm_ = 0;
  bool has_areas_ = false;
  std::uint64_t read_at_ns_ = 0;
  AreaSource source_;
  AreaSource smaps_;            // empty unless the process may have shared memory in swap
  std::size_t smaps_area_ = 0;  // index in smaps_ of the next VMA to compare
  AreaPages pages_;
  SnapshotWriter* writer_ = nullptr;
  const Output* output_ = nullptr;
  std::stop_token stop_;
};

/// The reason to stop early: a signal, or an error of the output.
Status stop_reason(const SnapshotWriter& writer, const Output& output);

}  // namespace physmem::collect
