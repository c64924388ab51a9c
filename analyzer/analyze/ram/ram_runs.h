// SPDX-License-Identifier: MIT
// Every frame of RAM in compact runs, and their owners in the order of their kinds.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/ram/frame_runs.h"
#include "analyzer/analyze/ram/ledger.h"

namespace physmem {

/// Consecutive frames of one use. The first frame is where the run before ends.
struct FrameUse {
  std::uint32_t pages = 0;
  std::uint32_t use_and_flags = 0;  ///< class in the upper 5 bits, PM_PAGE_* in the others
  std::uint32_t owner = 0;          ///< index in RamRuns::owners() plus 1; 0: none
  std::uint32_t place = 0;          ///< of the first frame, as in RamRun
  std::uint16_t cgroup = 0;         ///< index among the cgroups plus 1; 0: none
  std::uint16_t count = 0;          ///< mappings of each frame
};

/// Memory: 20 bytes per run, and the owners of the ledger.
class RamRuns : public Analysis {
 public:
  static constexpr unsigned kFlagBits = 27;
  /// Instead of a class: frames between the runs of a damaged snapshot.
  static constexpr std::uint32_t kNotDescribed = 31;
  /// Larger counts, and cgroups beyond this number, are stored as this.
  static constexpr std::uint64_t kMaxShort = 0xFFFF;
  /// Larger places are stored as this. A file of 16 TiB has so many pages of 4 KiB.
  static constexpr std::uint64_t kMaxPlace = 0xFFFFFFFF;

  /// The ledger must be an earlier analysis of the same census: it has the owners.
  explicit RamRuns(const Ledger& ledger) : ledger_(ledger) {}

  void on_header(const Header& header) override;
  void on_ram(const RamRun& run) override;
  /// Orders the owners.
  void on_end() override;

  const Ledger& ledger() const { return ledger_; }
  const std::vector<FrameUse>& runs() const { return runs_; }
  /// Files, slab caches, cgroups, tasks, code, others; of a kind in the order of their ids.
  /// Mounts, which have no frames, are left out.
  const std::vector<const OwnerRow*>& owners() const { return owners_; }
  std::uint64_t frames_end() const { return frames_end_; }
  /// Frames from FrameRuns::kMaxFramesEnd on, without holes. They are not in the runs.
  std::uint64_t too_far() const { return too_far_; }

 private:
  void put(std::uint64_t pages, const RamRun& run, std::uint32_t use);
  std::uint32_t row(std::uint64_t id) const;

  const Ledger& ledger_;
  std::vector<FrameUse> runs_;
  std::vector<std::uint32_t> cgroup_rows_;  ///< of the runs, until the owners are ordered
  std::vector<const OwnerRow*> owners_;
  std::uint64_t frames_end_ = 0;
  std::uint64_t too_far_ = 0;
};

}  // namespace physmem
