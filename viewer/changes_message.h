// SPDX-License-Identifier: MIT
// What changed between two snapshots, for the page (protocol.md, "Snapshots").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/diff/ram_diff.h"
#include "analyzer/analyze/diff/snapshot_diff.h"

namespace physmem::view {

/// Compares the first two snapshots of a series. Memory: as SnapshotDiff and RamDiff use.
class TwoSnapshots {
 public:
  /// Those that the next snapshot must be read into. None after the second.
  std::vector<Analysis*> analyses();
  /// A snapshot was read.
  void took() { ++snapshots_; }
  /// "changes" of `series`, as JSON. Empty unless there were two snapshots with areas.
  std::string text() const;

 private:
  std::size_t snapshots_ = 0;
  SnapshotDiff diff_;
  RamDiff ram_;
};

}  // namespace physmem::view
