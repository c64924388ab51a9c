// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace physmem::collect {

/// Pages of a file in the page cache. dirty and writeback: nothing if the kernel did not tell.
struct CachedPages {
  std::uint64_t pages = 0;
  std::optional<std::uint64_t> dirty, writeback;
};

/// Asks cachestat(2) (Linux 6.5), or mincore(2), which counts shared memory in the swap cache, too.
/// `file` is open for reading. Nothing if the kernel does not tell: only the owner of a file and
/// those who may write it learn what is cached, and some files cannot be mapped.
std::optional<CachedPages> cached_pages(int file, std::uint64_t page_size);

}  // namespace physmem::collect
