// SPDX-License-Identifier: MIT
#include "collector-proc/files/cached_pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace physmem::collect {
namespace {

/// Of a mapping for mincore: small enough for the addresses of a 32-bit program.
constexpr std::uint64_t kWindow = std::uint64_t{64} << 20;

/// linux/mman.h: struct cachestat_range and struct cachestat. The number is the same on all
/// architectures that physmem knows.
constexpr long kCachestat = 451;
struct CacheRange {
  std::uint64_t offset = 0, length = 0;  // length 0: to the end of the file
};
struct CacheStat {
  std::uint64_t cached = 0, dirty = 0, writeback = 0, evicted = 0, recently_evicted = 0;
};

std::optional<CachedPages> by_cachestat(int file) {
  CacheRange whole;
  CacheStat counts;
  if (::syscall(kCachestat, file, &whole, &counts, 0) != 0) return std::nullopt;
  return CachedPages{counts.cached, counts.dirty, counts.writeback};
}

/// The pages of a part of the file that are in memory. Nothing if it cannot be mapped.
std::optional<std::uint64_t> resident_pages(int file, std::uint64_t offset, std::uint64_t bytes,
                                            std::vector<unsigned char>& states,
                                            std::uint64_t page_size) {
  const auto size = static_cast<std::size_t>(bytes);
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, static_cast<off_t>(offset));
  if (at == MAP_FAILED) return std::nullopt;
  states.resize(static_cast<std::size_t>((bytes + page_size - 1) / page_size));
  const bool is_told = ::mincore(at, size, states.data()) == 0;
  ::munmap(at, size);
  if (!is_told) return std::nullopt;
  return std::count_if(states.begin(), states.end(), [](unsigned char state) { return state & 1; });
}

std::optional<CachedPages> by_mincore(int file, std::uint64_t page_size) {
  const off_t end = ::lseek(file, 0, SEEK_END);
  if (end < 0) return std::nullopt;
  const auto bytes = static_cast<std::uint64_t>(end);
  std::vector<unsigned char> states;
  CachedPages all;
  for (std::uint64_t offset = 0; offset < bytes; offset += kWindow) {
    const auto pages =
        resident_pages(file, offset, std::min(kWindow, bytes - offset), states, page_size);
    if (!pages) return std::nullopt;
    all.pages += *pages;
  }
  // Without write access to the file, mincore reports every page as resident, also pages after the
  // end of the file (mm/mincore.c, can_do_mincore). The distance is more than the largest folio.
  constexpr std::uint64_t kBehind = std::uint64_t{1} << 30;
  const std::uint64_t behind = (bytes + kBehind) & ~(page_size - 1);
  const auto none = resident_pages(file, behind, page_size, states, page_size);
  if (none != std::uint64_t{0}) return std::nullopt;
  return all;
}

}  // namespace

std::optional<CachedPages> cached_pages(int file, std::uint64_t page_size) {
  const auto counts = by_cachestat(file);
  if (counts && counts->pages != 0) return counts;
  // A file of overlayfs has no pages itself, but what is mapped is the file below it.
  const auto mapped = by_mincore(file, page_size);
  return mapped && (!counts || mapped->pages != 0) ? mapped : counts;
}

}  // namespace physmem::collect
