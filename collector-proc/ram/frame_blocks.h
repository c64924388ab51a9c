// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collector-proc/frame_source.h"
#include "collector-proc/proc_tree.h"
#include "program/unique_fd.h"

namespace physmem::collect {

/// /proc/kpageflags, kpagecount and kpagecgroup, read side by side in blocks. A running system
/// takes and frees thousands of frames per second: read one file after the other, a frame that was
/// freed in between would have the flags of one owner and the cgroup of another.
class FrameBlocks {
 public:
  static constexpr std::size_t kFrames = std::size_t{16} << 10;

  FrameBlocks(const ProcTree& tree, std::uint64_t page_size);
  bool is_readable() const { return files_.are_visible; }
  bool has_cgroups() const { return static_cast<bool>(cgroups_file_); }

  /// Reads up to kFrames frames from first on, but none from end on. Returns how many the kernel
  /// has; fewer than that at the end of its memory.
  std::size_t read(std::uint64_t first, std::uint64_t end);
  /// Flags of the frames that were read, without flags that this kernel shows wrongly.
  /// cgroups are 0 if the kernel has none.
  std::span<const std::uint64_t> flags() const { return flags_; }
  std::span<const std::uint64_t> counts() const { return counts_; }
  std::span<const std::uint64_t> cgroups() const { return cgroups_; }

 private:
  FrameFiles files_;
  UniqueFd cgroups_file_;
  std::vector<std::uint64_t> flags_, counts_, cgroups_;
};

}  // namespace physmem::collect
