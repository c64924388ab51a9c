// SPDX-License-Identifier: MIT
#include "collector-proc/pagemap_scan.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "program/signals.h"

namespace physmem::collect {
namespace {

// The ABI of linux/fs.h since 6.7; the headers of Debian 12 (6.1) lack it.
struct ScanArguments {
  std::uint64_t size;
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t walk_end;
  std::uint64_t vec;
  std::uint64_t vec_len;
  std::uint64_t max_pages;
  std::uint64_t category_inverted;
  std::uint64_t category_mask;
  std::uint64_t category_anyof_mask;
  std::uint64_t return_mask;
};
// The kernel takes 32 bits. glibc's ioctl() takes an unsigned long, musl's an int.
constexpr int kPagemapScan = static_cast<int>(_IOWR('f', 16, ScanArguments));
constexpr std::uint64_t kPresent = 1u << 3;
constexpr std::uint64_t kSwapped = 1u << 4;

// The kernel holds mmap_lock during a call or for 512 regions of it, so a call asks for 512
// regions. A window of 64 GiB has at most 64 entries of the page-table level below which holes are
// skipped.
constexpr std::size_t kRegions = 512;
constexpr std::uint64_t kWindow = std::uint64_t{64} << 30;

}  // namespace

ScanCall kernel_scan(int pagemap_fd) {
  return [pagemap_fd](std::uint64_t start, std::uint64_t end, std::span<ScannedRegion> into,
                      std::uint64_t& walk_end) {
    ScanArguments arguments{};
    arguments.size = sizeof arguments;
    arguments.start = start;
    arguments.end = end;
    arguments.vec = reinterpret_cast<std::uint64_t>(into.data());
    arguments.vec_len = into.size();
    arguments.category_anyof_mask = kPresent | kSwapped;
    arguments.return_mask = kPresent | kSwapped;
    const int regions = ::ioctl(pagemap_fd, kPagemapScan, &arguments);
    walk_end = arguments.walk_end;
    return regions;
  };
}

bool PagemapScan::scan_window(std::vector<Region>& into) {
  std::array<ScannedRegion, kRegions> found;
  const std::uint64_t end = end_ - at_ > kWindow ? at_ + kWindow : end_;
  std::uint64_t walk_end = 0;
  int regions = 0;
  do {
    regions = call_(at_, end, found, walk_end);
  } while (regions < 0 && errno == EINTR && !interrupted());
  if (regions < 0) return false;
  std::uint64_t reached = at_;
  for (std::size_t i = 0; i < static_cast<std::size_t>(regions); ++i) {
    if (found[i].end <= reached) continue;
    into.push_back({std::max(found[i].start, reached), found[i].end});
    reached = found[i].end;
  }
  // Seen on 6.18: after the kernel has flushed its internal buffer of 512 regions, walk_end may be
  // below the end of the regions that it returned.
  reached = std::max(reached, walk_end);
  if (reached <= at_) return false;
  at_ = reached;
  return true;
}

bool PagemapScan::next(std::vector<Region>& into) {
  into.clear();
  while (into.empty() && at_ < end_) {
    if (!scan_window(into)) return false;
  }
  return true;
}

}  // namespace physmem::collect
