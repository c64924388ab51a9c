// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "collector-proc/ram/frame_blocks.h"
#include "collector-proc/ram/physical_map.h"
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
  /// Whether frames can be written; otherwise only totals.
  bool has_frames() const { return frames_.is_readable() && !map_.empty(); }
  /// Writes the frames only if requested and possible.
  void write(SnapshotWriter& writer, bool with_frames, const RamWalk::GoOn& go_on);

 private:
  void read_map();
  /// Writes the totals as PREFIX.NAME.
  void write_totals(SnapshotWriter& writer, const char* prefix);
  bool has_zsmalloc() const;

  const ProcTree& tree_;
  UniqueFd sys_;
  std::uint64_t page_size_;
  CgroupNames cgroups_;
  FrameBlocks frames_;
  std::vector<MemoryZone> zones_;
  std::vector<FrameSpan> map_;
};

}  // namespace physmem::collect
