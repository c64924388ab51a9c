// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "system/unique_fd.h"
#include "formats/emit/flags.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// /proc/kpagecount and /proc/kpageflags, each frame read once however many processes map it.
///
/// Costs 8 bytes a frame, in chunks of 128 MiB of RAM that exist from their first frame on. Both files are
/// read once for each run of frames not yet known: these reads are most of what a snapshot costs, so none is
/// made twice.
class FrameCache {
 public:
  /// Of the kernel's flags only those in flag_mask are taken.
  FrameCache(UniqueFd kpagecount, UniqueFd kpageflags, std::uint64_t flag_mask = PM_PAGE_STABLE_MASK);

  /// Adds the frames [pfn, pfn + pages) to single_use and shared, reading those not yet known.
  void tally(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts);
  /// Says that tally() will soon ask for the frame.
  void prefetch(std::uint64_t pfn) {
    if (const std::uint64_t* word = find(pfn)) __builtin_prefetch(word);
  }
  /// Sets count and flags of as many records, for frames that tally() has seen. Beyond the end of the
  /// kernel's files (device memory): count 0, flag NOPAGE.
  void describe(std::uint64_t pfn, std::uint64_t pages, pm_page* records);

  /// Frames asked for that the kernel's files do not have, each time they were asked for.
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  static constexpr std::uint64_t kChunkFrames = 1u << 15;
  static constexpr std::uint64_t kReadFrames = 512;
  using Chunk = std::array<std::uint64_t, kChunkFrames>;  // packed frames; 0: not known

  /// Where the frame's chunk was found last time; all chunks of 32 GiB of RAM fit.
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Chunk* chunk = nullptr;
  };
  static constexpr std::uint64_t kRecents = 256;

  /// The frame's word; nullptr when its chunk does not exist.
  std::uint64_t* find(std::uint64_t pfn) {
    const std::uint64_t number = pfn / kChunkFrames;
    const Recent& recent = recent_[number % kRecents];
    if (recent.number == number) return recent.chunk->data() + pfn % kChunkFrames;
    return find_anew(pfn);
  }
  std::uint64_t* find_anew(std::uint64_t pfn);
  std::uint64_t* make(std::uint64_t pfn);
  std::uint64_t tally_known(std::uint64_t pfn, std::uint64_t limit, pm_page_counts& counts);
  std::uint64_t count_unknown(std::uint64_t pfn, std::uint64_t limit);
  std::uint64_t load(std::uint64_t pfn, std::uint64_t frames);

  UniqueFd kpagecount_;
  UniqueFd kpageflags_;
  std::uint64_t flag_mask_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::array<Recent, kRecents> recent_;
  std::uint64_t unreadable_ = 0;
};

}  // namespace physmem::collect
