// SPDX-License-Identifier: MIT
#include "collector-proc/frame_cache.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

constexpr std::uint64_t kEntryBytes = 8;  // of both kernel files

// A known frame in 8 bytes: flags in bits 0-26, map count in bits 27-58, bit 63 set. No page has 2^32
// mappings.
constexpr int kCountShift = 27;
constexpr std::uint64_t kCountMask = 0xffffffff;
constexpr std::uint64_t kKnown = std::uint64_t{1} << 63;
static_assert(PM_PAGE_STABLE_MASK < std::uint64_t{1} << kCountShift);

std::uint64_t pack(std::uint64_t count, std::uint64_t flags) {
  return kKnown | std::min(count, kCountMask) << kCountShift | (flags & PM_PAGE_STABLE_MASK);
}

std::uint64_t packed_count(std::uint64_t word) {
  return word >> kCountShift & kCountMask;
}

// Whole entries read; less than wanted at the end of the file.
std::uint64_t read_entries(int fd, std::uint64_t* into, std::uint64_t first, std::uint64_t entries) {
  for (;;) {
    const ssize_t got = ::pread(fd, into, entries * kEntryBytes, static_cast<off_t>(first * kEntryBytes));
    if (got < 0 && errno == EINTR) continue;
    return got < 0 ? 0 : static_cast<std::uint64_t>(got) / kEntryBytes;
  }
}

}  // namespace

FrameCache::FrameCache(UniqueFd kpagecount, UniqueFd kpageflags)
    : kpagecount_(std::move(kpagecount)), kpageflags_(std::move(kpageflags)) {}

FrameCache::Chunk* FrameCache::find(std::uint64_t chunk) {
  if (chunk == recent_number_) return recent_;
  const auto found = chunks_.find(chunk);
  if (found == chunks_.end()) return nullptr;
  recent_number_ = chunk;
  recent_ = found->second.get();
  return recent_;
}

FrameCache::Chunk& FrameCache::make(std::uint64_t chunk) {
  if (Chunk* known = find(chunk)) return *known;
  return *(chunks_[chunk] = std::make_unique<Chunk>());
}

// How many frames of [pfn, limit) are not known before the first that is; the range lies in one chunk.
std::uint64_t FrameCache::unknown_from(std::uint64_t pfn, std::uint64_t limit) {
  const Chunk* chunk = find(pfn / kChunkFrames);
  if (chunk == nullptr) return limit - pfn;
  const std::uint64_t* const words = chunk->data() + pfn % kChunkFrames;
  return static_cast<std::uint64_t>(
      std::find_if(words, words + (limit - pfn), [](auto w) { return w != 0; }) - words);
}

// Frames now known, from pfn on.
std::uint64_t FrameCache::load(std::uint64_t pfn, std::uint64_t pages) {
  std::array<std::uint64_t, kReadFrames> count;
  std::array<std::uint64_t, kReadFrames> flags;
  std::uint64_t got = read_entries(kpagecount_.get(), count.data(), pfn, pages);
  if (got > 0) got = std::min(got, read_entries(kpageflags_.get(), flags.data(), pfn, got));
  if (got == 0) return 0;
  std::uint64_t* const words = make(pfn / kChunkFrames).data() + pfn % kChunkFrames;
  for (std::uint64_t i = 0; i < got; ++i) words[i] = pack(count[i], flags[i]);
  return got;
}

void FrameCache::tally_known(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
  const std::uint64_t* const words = find(pfn / kChunkFrames)->data() + pfn % kChunkFrames;
  std::uint64_t single = 0;
  std::uint64_t shared = 0;
  for (std::uint64_t i = 0; i < pages; ++i) {
    const std::uint64_t count = packed_count(words[i]);
    single += count == 1;
    shared += count > 1;
  }
  counts.single_use += single;
  counts.shared += shared;
}

void FrameCache::tally(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
  const std::uint64_t end = pfn + pages;
  while (pfn < end) {
    const std::uint64_t chunk_end = (pfn / kChunkFrames + 1) * kChunkFrames;
    const std::uint64_t limit = std::min({end, chunk_end, pfn + kReadFrames});
    std::uint64_t known = 0;
    const std::uint64_t unknown = unknown_from(pfn, limit);
    if (unknown > 0) {
      known = load(pfn, unknown);
      unreadable_ += unknown - known;
    } else {
      const std::uint64_t* const words = find(pfn / kChunkFrames)->data() + pfn % kChunkFrames;
      known = static_cast<std::uint64_t>(std::find(words, words + (limit - pfn), std::uint64_t{0}) - words);
    }
    if (known > 0) tally_known(pfn, known, counts);
    pfn += std::max(unknown, known);
  }
}

Frame FrameCache::at(std::uint64_t pfn) {
  const Chunk* chunk = find(pfn / kChunkFrames);
  const std::uint64_t word = chunk == nullptr ? 0 : (*chunk)[pfn % kChunkFrames];
  if (word == 0) return {0, PM_PAGE_NOPAGE};
  return {packed_count(word), word & PM_PAGE_STABLE_MASK};
}

}  // namespace physmem::collect
