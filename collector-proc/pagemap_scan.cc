// SPDX-License-Identifier: MIT
#include "collector-proc/pagemap_scan.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "program/signals.h"

namespace physmem::collect {
namespace {

/// PAGEMAP_SCAN, of 32 bits, as the system's ioctl() takes it: glibc's unsigned long, musl's int.
template <class Request>
constexpr Request pagemap_scan(int (*)(int, Request, ...)) {
  return static_cast<Request>(_IOWR('f', 16, ScanArguments));
}

constexpr std::uint64_t kPageIsPresent = 1u << 3;
constexpr std::uint64_t kPageIsSwapped = 1u << 4;

constexpr std::size_t kRegions = 512;

}  // namespace

ScanCall kernel_scan(int pagemap_fd) {
  return [pagemap_fd](ScanArguments& arguments) {
    return ::ioctl(pagemap_fd, pagemap_scan(::ioctl), &arguments);
  };
}

bool PagemapScan::scan_once(std::vector<Region>& into) {
  std::array<ScannedRegion, kRegions> found;
  ScanArguments arguments{};
  arguments.size = sizeof arguments;
  arguments.start = at_;
  arguments.end = std::min(end_ - at_, window_) + at_;
  arguments.vec = reinterpret_cast<std::uintptr_t>(found.data());
  arguments.vec_len = kRegions;
  arguments.max_pages = kMaxScanPages;
  arguments.category_anyof_mask = kPageIsPresent | kPageIsSwapped;
  arguments.return_mask = kPageIsPresent | kPageIsSwapped;
  int regions = 0;
  do {
    regions = call_(arguments);
  } while (regions < 0 && errno == EINTR && !interrupted());
  if (regions < 0) return false;
  std::uint64_t reached = at_;
  for (std::size_t i = 0; i < static_cast<std::size_t>(regions); ++i) {
    const std::uint64_t start = std::max(found[i].start, reached);
    // Empty: the kernel has found kMaxScanPages pages, and then one more elsewhere.
    if (found[i].end <= start) continue;
    into.push_back({start, found[i].end});
    reached = found[i].end;
  }
  // Seen on 6.18: after the kernel has flushed its internal buffer of 512 regions, walk_end may be
  // below the end of the regions that it returned.
  reached = std::max(reached, arguments.walk_end);
  if (reached <= at_) return false;
  at_ = reached;
  return true;
}

bool PagemapScan::next(std::vector<Region>& into) {
  into.clear();
  while (into.empty() && at_ < end_) {
    if (!scan_once(into)) return false;
  }
  return true;
}

}  // namespace physmem::collect
