// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "collector-proc/ram/cgroup_tree.h"
#include "collector-proc/ram/frame_blocks.h"
#include "collector-proc/ram/frame_class.h"
#include "collector-proc/ram/physical_map.h"
#include "formats/emit/ram.h"

namespace physmem::collect {

/// Writes every frame of RAM as runs (R:), with the cgroups that pay for them (O:), from
/// what /proc shows.
class RamWalk {
 public:
  struct Sources {
    FrameBlocks& frames;
    CgroupNames& cgroups;
    FlagRules rules;
  };
  /// `owners`: the number of O: lines before, with ids from 1 on.
  RamWalk(Sources sources, pm_out& out, std::uint64_t owners);

  /// Called between blocks; an error ends the walk.
  using GoOn = std::function<Status()>;
  Status write(const std::vector<FrameSpan>& map, const GoOn& go_on);

 private:
  /// What makes two frames of a span equal.
  struct Facts {
    std::uint64_t flags = 0;
    std::uint64_t count = 0;
    std::uint64_t cgroup = 0;
    friend bool operator==(const Facts&, const Facts&) = default;
  };

  Status write_span(const FrameSpan& span, const GoOn& go_on);
  void write_block(std::uint64_t first, std::size_t frames, FrameSpan::Kind kind);
  void write_run(std::uint64_t first, std::uint64_t pages, const Facts& facts,
                 FrameSpan::Kind kind);
  void write_class(std::uint64_t first, std::uint64_t pages, pm_ram_class use);
  std::uint64_t owner_of(std::uint64_t cgroup);

  Sources sources_;
  pm_ram_writer writer_{};
  std::uint64_t last_cgroup_ = 0;                            ///< of the last head of a large page
  std::unordered_map<std::uint64_t, std::uint64_t> owners_;  ///< ids of O: lines by cgroup
};

}  // namespace physmem::collect
