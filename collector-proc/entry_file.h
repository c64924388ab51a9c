// SPDX-License-Identifier: MIT
// Kernel files of 8-byte entries: pagemap, kpagecount, kpageflags and kpagecgroup.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <sys/types.h>

namespace physmem::collect {

/// In an entry of pagemap (Documentation/admin-guide/mm/pagemap.rst): the page is present; it is in
/// swap; the frame.
inline constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kSwapped = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kFrameMask = (std::uint64_t{1} << 55) - 1;

/// Reads entries from `first` on. Returns the number of whole entries, fewer than requested at the
/// end of the file, or -1 and sets errno; after a signal that ends the collection: EINTR.
ssize_t read_entries(int fd, std::uint64_t first, std::span<std::uint64_t> into);

/// Nothing: it cannot be read.
std::optional<std::uint64_t> entry_at(int fd, std::uint64_t index);

}  // namespace physmem::collect
