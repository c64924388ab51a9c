// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collector-proc/kernel/running_kernel.h"
#include "collector-proc/proc_tree.h"
#include "collector-proc/ram/frame_blocks.h"
#include "collector-proc/ram/physical_map.h"
#include "collector-proc/ram/ram_totals.h"
#include "collector-proc/ram/ram_walk.h"
#include "collector-proc/ram/zones.h"
#include "collector-proc/snapshot_writer.h"

namespace physmem::collect {

/// The part of a snapshot about the whole of RAM: zones, the kernel's own totals before and after,
/// slab caches and vmalloc by caller, and every frame if its files can be read.
class RamSection {
 public:
  /// sys_root: the folder of a /sys tree.
  RamSection(const ProcTree& tree, const std::string& sys_root, std::uint64_t page_size);
  /// Opens the kernel's memory, by kcore or BPF, for processes and, `with_frames`, for write(). The
  /// error says why it cannot be used.
  Status open_kernel(Source by, bool with_frames);
  /// Uses the kernel that a section before it has opened. Returns false if that is not current.
  bool use_kernel(std::unique_ptr<RunningKernel> kernel);
  std::unique_ptr<RunningKernel> take_kernel() { return std::move(kernel_); }
  /// nullptr if it is not open.
  RunningKernel* kernel() { return kernel_.get(); }
  /// The best source of frames that works; the kernel's memory only after open_kernel(), and if it
  /// may be used.
  Source source(bool may_be_kernel) const;
  /// Counters that tell to which zone, node and tier a frame belongs. They come before the
  /// processes, so that a reader knows it for their pages.
  void write_places(SnapshotWriter& writer) const;
  struct Choice {
    Source by = Source::kNone;    ///< of frames
    bool with_witnesses = false;  ///< also what the kernel counts for each cgroup, and exact totals
    /// Writes owners with ids from 1 on, and returns their number.
    std::function<Result<std::uint64_t>()> write_files;
  };
  Status write(SnapshotWriter& writer, const Choice& choice, const RamWalk::GoOn& go_on);

 private:
  /// `owners`: the number of O: lines before.
  Status write_frames(SnapshotWriter& writer, Source by, std::uint64_t owners,
                      const RamWalk::GoOn& go_on);
  Status describe_frames(SnapshotWriter& writer, Source by, std::uint64_t owners,
                         const RamWalk::GoOn& go_on);
  void read_map();
  /// Writes the totals as PREFIX.NAME.
  void write_totals(SnapshotWriter& writer, const std::string& prefix);
  /// Returns whether the totals are exact now.
  bool refresh_totals() const;
  bool has_zsmalloc();

  const ProcTree& tree_;
  UniqueFd sys_;
  std::uint64_t page_size_;
  CgroupNames cgroups_;
  FrameBlocks frames_;
  TotalsReader totals_;
  std::vector<MemoryZone> zones_;
  std::vector<FrameSpan> map_;
  std::unique_ptr<RunningKernel> kernel_;
};

}  // namespace physmem::collect
