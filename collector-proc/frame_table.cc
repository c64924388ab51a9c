// SPDX-License-Identifier: MIT
#include "collector-proc/frame_table.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>

#include "collector-proc/entry_file.h"

namespace physmem::collect {
namespace {

constexpr std::size_t kChunkBytes = FrameTable::kChunkFrames * sizeof(std::uint64_t);

// Allocates zeroed memory, aligned to its size, which is a power of two. Returns nullptr if out of
// memory.
void* map_aligned(std::size_t bytes) {
  void* const twice = ::mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (twice == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(twice);
  const std::size_t before = (bytes - reinterpret_cast<std::uintptr_t>(begin) % bytes) % bytes;
  if (before != 0) ::munmap(begin, before);
  ::munmap(begin + before + bytes, bytes - before);
  return begin + before;
}

}  // namespace

FrameTable::FrameTable(UniqueFd kpagecount, UniqueFd kpageflags, std::uint64_t flag_mask, Use use,
                       bool is_shared)
    : kpagecount_(std::move(kpagecount)),
      kpageflags_(std::move(kpageflags)),
      flag_mask_(flag_mask & PM_PAGE_STABLE_MASK),
      use_(use),
      is_shared_(is_shared) {}

void FrameTable::Unmap::operator()(std::uint64_t* words) const {
  ::munmap(words, kChunkBytes);
}

std::uint64_t* FrameTable::chunk(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  Chunk& chunk = chunks_[number];
  if (!chunk) {
    void* const words = map_aligned(kChunkBytes);
    if (words == nullptr) std::__throw_bad_alloc();
    if (use_ == Use::kManyFrames) ::madvise(words, kChunkBytes, MADV_HUGEPAGE);
    chunk.reset(static_cast<std::uint64_t*>(words));
  }
  return chunk.get();
}

std::size_t FrameTable::read(std::uint64_t first, std::span<std::uint64_t> counts,
                             std::span<std::uint64_t> flags) const {
  const auto read = [first](const UniqueFd& file, std::span<std::uint64_t> into) {
    return static_cast<std::size_t>(std::max<ssize_t>(read_entries(file.get(), first, into), 0));
  };
  const std::size_t got = read(kpagecount_, counts);
  return got == 0 ? 0 : read(kpageflags_, flags.first(got));
}

}  // namespace physmem::collect
