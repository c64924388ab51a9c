// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace physmem::collect {

/// A range [start, end) of addresses with resident or swapped-out pages.
struct Region {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

/// In the form of the kernel's call.
struct ScannedRegion {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t categories = 0;
};

/// Finds regions in [start, end), as many as fit, and sets the address it reached. Returns their
/// number, or -1 with errno.
using ScanCall = std::function<int(std::uint64_t start, std::uint64_t end,
                                   std::span<ScannedRegion> into, std::uint64_t& walk_end)>;

/// The ioctl on an open pagemap, which must outlive it.
ScanCall kernel_scan(int pagemap_fd);

/// Finds the populated regions of a nearly empty range by the PAGEMAP_SCAN ioctl (since Linux 6.7).
/// It skips a missing page table in one step, while reading pagemap takes 3 ns per page of the
/// hole.
class PagemapScan {
 public:
  PagemapScan(ScanCall call, std::uint64_t start, std::uint64_t end)
      : call_(std::move(call)), at_(start), end_(end) {}

  /// Returns the next regions, ascending; `into` is empty at the end. Returns false if the kernel
  /// does not support it or the process is gone. The rest must then be read directly, from
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
