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
  return kKnown | std::min(count, kCountMask) << kCountShift | flags;
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

FrameCache::FrameCache(UniqueFd kpagecount, UniqueFd kpageflags, std::uint64_t flag_mask)
    : kpagecount_(std::move(kpagecount)),
      kpageflags_(std::move(kpageflags)),
      flag_mask_(flag_mask & PM_PAGE_STABLE_MASK) {}

std::uint64_t* FrameCache::find_anew(std::uint64_t pfn) {
  const std::uint64_t number = pfn / kChunkFrames;
  const auto found = chunks_.find(number);
  if (found == chunks_.end()) return nullptr;
  recent_[number % kRecents] = {number, found->second.get()};
  return found->second->data() + pfn % kChunkFrames;
}

std::uint64_t* FrameCache::make(std::uint64_t pfn) {
  if (std::uint64_t* known = find(pfn)) return known;
  chunks_[pfn / kChunkFrames] = std::make_unique<Chunk>();
  return find_anew(pfn);
}

// Up to the first frame that is not known, which is returned, or to limit, which is in the same chunk as pfn.
std::uint64_t FrameCache::tally_known(std::uint64_t pfn, std::uint64_t limit, pm_page_counts& counts) {
  const std::uint64_t* word = find(pfn);
  if (word == nullptr) return pfn;
  std::uint64_t single = 0;
  std::uint64_t shared = 0;
  for (; pfn < limit && *word != 0; ++pfn, ++word) {
    const std::uint64_t count = packed_count(*word);
    single += count == 1;
    shared += count > 1;
  }
  counts.single_use += single;
  counts.shared += shared;
  return pfn;
}

// Frames from pfn on before the first that is known.
std::uint64_t FrameCache::count_unknown(std::uint64_t pfn, std::uint64_t limit) {
  const std::uint64_t* word = find(pfn);
  if (word == nullptr) return limit - pfn;
  const std::uint64_t* const first = word;
  for (; pfn < limit && *word == 0; ++pfn) ++word;
  return static_cast<std::uint64_t>(word - first);
}

// Frames now known, from pfn on.
std::uint64_t FrameCache::load(std::uint64_t pfn, std::uint64_t frames) {
  std::array<std::uint64_t, kReadFrames> count;
  std::array<std::uint64_t, kReadFrames> flags;
  std::uint64_t got = read_entries(kpagecount_.get(), count.data(), pfn, frames);
  if (got > 0) got = std::min(got, read_entries(kpageflags_.get(), flags.data(), pfn, got));
  if (got == 0) return 0;
  std::uint64_t* const words = make(pfn);
  for (std::uint64_t i = 0; i < got; ++i) words[i] = pack(count[i], flags[i] & flag_mask_);
  return got;
}

void FrameCache::tally(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
  const std::uint64_t end = pfn + pages;
  while (pfn < end) {
    const std::uint64_t chunk_end = (pfn / kChunkFrames + 1) * kChunkFrames;
    const std::uint64_t limit = std::min({end, chunk_end, pfn + kReadFrames});
    pfn = tally_known(pfn, limit, counts);
    if (pfn == limit) continue;
    const std::uint64_t unknown = count_unknown(pfn, limit);
    const std::uint64_t loaded = load(pfn, unknown);
    if (loaded == unknown) continue;
    tally_known(pfn, pfn + loaded, counts);
    unreadable_ += unknown - loaded;
    pfn += unknown;
  }
}

void FrameCache::describe(std::uint64_t pfn, std::uint64_t pages, pm_page* records) {
  for (const std::uint64_t end = pfn + pages; pfn < end;) {
    const std::uint64_t n = std::min(end - pfn, kChunkFrames - pfn % kChunkFrames);
    const std::uint64_t* const words = find(pfn);
    for (std::uint64_t i = 0; i < n; ++i, ++records) {
      const std::uint64_t word = words == nullptr ? 0 : words[i];
      records->count = packed_count(word);
      records->flags = word == 0 ? PM_PAGE_NOPAGE : word & PM_PAGE_STABLE_MASK;
    }
    pfn += n;
  }
}

}  // namespace physmem::collect
