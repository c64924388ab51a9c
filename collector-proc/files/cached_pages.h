// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace physmem::collect {

/// Pages of a file in the page cache. dirty and writeback: nothing if unknown.
struct CachedPages {
  std::uint64_t pages = 0;
  std::optional<std::uint64_t> dirty, writeback;
};

/// Asks cachestat(2) (Linux 6.5), or mincore(2), which counts shared memory in the swap cache, too.
/// `file` is open for reading. Nothing if the kernel does not report the counts to this user, which
/// requires to own the file or to have write access, or if the file cannot be mapped.
std::optional<CachedPages> cached_pages(int file, std::uint64_t page_size);

}  // namespace physmem::collect
