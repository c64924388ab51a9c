// SPDX-License-Identifier: MIT
#ifndef PHYSMEM_COLLECTOR_PROC_FRAME_CACHE_H_
#define PHYSMEM_COLLECTOR_PROC_FRAME_CACHE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "collector-proc/unique_fd.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// Map count and flags of a physical frame.
struct Frame {
  std::uint64_t count = 0;
  std::uint64_t flags = 0;  // PM_PAGE_*
};

/// /proc/kpagecount and /proc/kpageflags, each frame read once however many processes map it.
///
/// Costs 8 bytes a frame, in chunks of 128 MiB of RAM that exist from their first frame on. Both files are
/// read once for each run of frames not yet known: these reads are most of what a snapshot costs, so none is
/// made twice.
class FrameCache {
 public:
  FrameCache(UniqueFd kpagecount, UniqueFd kpageflags);

  /// Adds the frames [pfn, pfn + pages) to single_use and shared, reading those not yet known.
  void tally(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts);
  /// A frame that tally() has seen. Beyond the end of the kernel's files (device memory): count 0, flag
  /// NOPAGE.
  Frame at(std::uint64_t pfn);

  /// Frames asked for that the kernel's files do not have, each time they were asked for.
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  static constexpr std::uint64_t kChunkFrames = 1u << 15;
  static constexpr std::uint64_t kReadFrames = 512;
  using Chunk = std::array<std::uint64_t, kChunkFrames>;  // packed frames; 0: not known

  Chunk* find(std::uint64_t chunk);
  Chunk& make(std::uint64_t chunk);
  std::uint64_t unknown_from(std::uint64_t pfn, std::uint64_t limit);
  std::uint64_t load(std::uint64_t pfn, std::uint64_t pages);
  void tally_known(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts);

  UniqueFd kpagecount_;
  UniqueFd kpageflags_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Chunk* recent_ = nullptr;
  std::uint64_t unreadable_ = 0;
};

}  // namespace physmem::collect

#endif  // PHYSMEM_COLLECTOR_PROC_FRAME_CACHE_H_
