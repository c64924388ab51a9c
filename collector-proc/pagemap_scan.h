// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
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

/// The ABI of linux/fs.h since 6.7; the headers of Debian 12 (6.1) lack it.
struct ScanArguments {
  std::uint64_t size;
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t walk_end;  ///< set by the kernel: the address it reached
  std::uint64_t vec;
  std::uint64_t vec_len;
  std::uint64_t max_pages;
  std::uint64_t category_inverted;
  std::uint64_t category_mask;
  std::uint64_t category_anyof_mask;
  std::uint64_t return_mask;
};

/// Returns the number of regions found, or -1 with errno.
using ScanCall = std::function<int(ScanArguments& arguments)>;

/// The ioctl on an open pagemap, which must outlive it.
ScanCall kernel_scan(int pagemap_fd);

// The kernel holds the process's mmap_lock during a call. On 6.18 a call takes 13 ns per page that
// it finds, and 1.6 ns per entry of a page table whose pages were released, such as in a heap after
// garbage collection. With these bounds, both together take 0.5 ms.
inline constexpr std::uint64_t kMaxScanPages = 8192;
inline constexpr std::uint64_t kMinScanWindow = std::uint64_t{1} << 30;  // 512 page tables

/// Bytes of addresses per call, for a process with page tables of this size (VmPTE). A call takes
/// 3 us even if it finds nothing, so the window is large if all page tables together are few. 64
/// GiB have 64 entries of the page-table level below which holes are skipped.
constexpr std::uint64_t scan_window(std::uint64_t page_tables_kb) {
  constexpr std::uint64_t kFewTablesKb = 2048;  // 512 page tables
  return page_tables_kb <= kFewTablesKb ? 64 * kMinScanWindow : kMinScanWindow;
}

/// Finds the populated regions of a nearly empty range by the PAGEMAP_SCAN ioctl (since Linux 6.7).
/// It skips a missing page table in one step, while reading pagemap takes 3 ns per page of the
/// hole.
class PagemapScan {
 public:
  PagemapScan(ScanCall call, std::uint64_t start, std::uint64_t end, std::uint64_t window)
      : call_(std::move(call)), at_(start), end_(end), window_(window) {}

  /// Returns the next regions, ascending; `into` is empty at the end. Returns false if the kernel
  /// does not support it or the process is gone. The rest must then be read directly, from
  /// position() on.
  bool next(std::vector<Region>& into);
  std::uint64_t position() const { return at_; }

 private:
  bool scan_once(std::vector<Region>& into);

  ScanCall call_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::uint64_t window_;
};

}  // namespace physmem::collect
