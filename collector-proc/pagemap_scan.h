// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace physmem::collect {

/// Addresses [start, end) that hold something: a resident or swapped-out page.
struct Region {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

/// As the kernel's call gives them.
struct ScannedRegion {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t categories = 0;
};

/// Finds the regions in [start, end), as many as there is room for, and says how far it got.
/// Returns their number, or -1 and errno.
using ScanCall = std::function<int(std::uint64_t start, std::uint64_t end,
                                   std::span<ScannedRegion> into, std::uint64_t& walk_end)>;

/// The ioctl on an open pagemap, which must outlive it.
ScanCall kernel_scan(int pagemap_fd);

/// Finds what is populated in a range that is nearly empty, by the PAGEMAP_SCAN ioctl (since
/// Linux 6.7). It passes over a missing page table in one step, where reading pagemap takes 3 ns
/// for each page of the hole.
class PagemapScan {
 public:
  PagemapScan(ScanCall call, std::uint64_t start, std::uint64_t end)
      : call_(std::move(call)), at_(start), end_(end) {}

  /// The next regions, ascending; into is empty at the end. False when the kernel cannot do this
  /// (or the process is gone): what was not handed out yet must then be read plainly, from
  /// position() on.
  bool next(std::vector<Region>& into);
  std::uint64_t position() const { return at_; }

 private:
  bool scan_window(std::vector<Region>& into);

  ScanCall call_;
  std::uint64_t at_;
  std::uint64_t end_;
};

}  // namespace physmem::collect
