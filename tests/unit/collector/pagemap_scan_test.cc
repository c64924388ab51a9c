// SPDX-License-Identifier: MIT
#include "collector-proc/pagemap_scan.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <span>
#include <vector>

#include "program/unique_fd.h"

namespace physmem::collect {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 42;  // 4 TiB, nearly all unpopulated
constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kWindow = scan_window(0);

/// A mapping of this process with a few populated pages, far apart.
class SparseMap {
 public:
  SparseMap()
      : start_(static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  SparseMap(const SparseMap&) = delete;
  SparseMap& operator=(const SparseMap&) = delete;
  ~SparseMap() {
    if (is_mapped()) ::munmap(start_, kBytes);
  }
  bool is_mapped() const { return start_ != MAP_FAILED; }
  void touch(std::size_t offset) {
    ::madvise(start_ + offset / (512 * kPage) * (512 * kPage), 512 * kPage, MADV_NOHUGEPAGE);
    start_[offset] = 1;
  }
  std::uint64_t address(std::size_t offset = 0) const {
    return reinterpret_cast<std::uint64_t>(start_) + offset;
  }

 private:
  char* start_;
};

// Uses more regions than the kernel gathers at once (512). In this case, its walk_end lags.
TEST(PagemapScan, FindsEveryPopulatedPageOnce) {
  SparseMap map;
  const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  if (!map.is_mapped() || !pagemap)
    GTEST_SKIP() << "no /proc/self/pagemap, or no 4 TiB of address space";
  std::set<std::uint64_t> touched;
  for (std::size_t i = 0; i < 1500; ++i) {
    const std::size_t offset =
        i * (std::size_t{2} << 20) + i % 512 * kPage + i / 500 * (std::size_t{1} << 40);
    map.touch(offset);
    touched.insert(map.address(offset));
  }
  PagemapScan scan(kernel_scan(pagemap.get()), map.address(), map.address(kBytes), kWindow);
  std::set<std::uint64_t> found;
  std::vector<Region> regions;
  std::uint64_t previous_end = 0;
  do {
    if (!scan.next(regions))
      GTEST_SKIP() << "this kernel has no PAGEMAP_SCAN (it came with Linux 6.7)";
    for (const Region& region : regions) {
      EXPECT_GE(region.start, previous_end);
      previous_end = region.end;
      for (std::uint64_t at = region.start; at < region.end; at += kPage) found.insert(at);
    }
  } while (!regions.empty());
  EXPECT_EQ(found, touched);
}

TEST(PagemapScan, KeepsPositionIfScanIsUnsupported) {
  const UniqueFd other(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  PagemapScan scan(kernel_scan(other.get()), 4096, 8192, kWindow);
  std::vector<Region> regions;
  EXPECT_FALSE(scan.next(regions));
  EXPECT_TRUE(regions.empty());
  EXPECT_EQ(scan.position(), 4096u);
}

std::span<ScannedRegion> regions_of(const ScanArguments& call) {
  return {reinterpret_cast<ScannedRegion*>(call.vec), call.vec_len};
}

/// Simulates a kernel with regions of one page. A call returns up to `at_once` regions, but its
/// walk_end is only half of the way through them.
class StaleKernel {
 public:
  StaleKernel(std::uint64_t regions, std::size_t at_once) : regions_(regions), at_once_(at_once) {}

  static std::uint64_t start_of(std::uint64_t region) { return (region + 1) * 10 * kPage; }
  ScanCall call() {
    return [this](ScanArguments& call) {
      ++calls_;
      const std::span<ScannedRegion> into = regions_of(call);
      std::size_t n = 0;
      for (std::uint64_t i = 0; i < regions_ && n < std::min(at_once_, into.size()); ++i) {
        if (start_of(i) + kPage <= call.start || start_of(i) >= call.end) continue;
        into[n++] = {std::max(call.start, start_of(i)), start_of(i) + kPage, 0};
      }
      call.walk_end = n == 0 ? call.end : into[n / 2].start;
      return static_cast<int>(n);
    };
  }
  int calls() const { return calls_; }

 private:
  std::uint64_t regions_;
  std::size_t at_once_;
  int calls_ = 0;
};

// Continuing at walk_end would return the second half of each answer twice.
TEST(PagemapScan, ContinuesAfterLastRegionIfWalkEndLags) {
  StaleKernel kernel(1000, 300);
  PagemapScan scan(kernel.call(), 0, kBytes, kWindow);
  std::vector<std::uint64_t> starts;
  std::vector<Region> regions;
  do {
    ASSERT_TRUE(scan.next(regions));
    for (const Region& region : regions) starts.push_back(region.start);
  } while (!regions.empty());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 1000; ++i) expected.push_back(StaleKernel::start_of(i));
  EXPECT_EQ(starts, expected);
  EXPECT_LT(kernel.calls(), 100);
}

// walk_end may also be far after the last region. Nothing is scanned twice then.
TEST(PagemapScan, ContinuesAtWalkEndIfItIsFurther) {
  std::vector<std::uint64_t> begins;
  const ScanCall scan_call = [&](ScanArguments& call) {
    begins.push_back(call.start);
    regions_of(call)[0] = {call.start, call.start + kPage, 0};
    call.walk_end = call.start + 1000 * kPage;
    return 1;
  };
  PagemapScan scan(scan_call, 0, 2000 * kPage, kWindow);
  std::vector<Region> regions;
  ASSERT_TRUE(scan.next(regions));
  ASSERT_TRUE(scan.next(regions));
  ASSERT_TRUE(scan.next(regions));
  EXPECT_TRUE(regions.empty());
  EXPECT_EQ(begins, (std::vector<std::uint64_t>{0, 1000 * kPage}));
}

// If the kernel makes no progress, the scan stops and the caller reads the rest plainly.
TEST(PagemapScan, FailsIfKernelMakesNoProgress) {
  const ScanCall scan_call = [](ScanArguments& call) {
    call.walk_end = call.start;
    return 0;
  };
  PagemapScan scan(scan_call, kPage, kBytes, kWindow);
  std::vector<Region> regions;
  EXPECT_FALSE(scan.next(regions));
  EXPECT_EQ(scan.position(), kPage);
}

}  // namespace
}  // namespace physmem::collect
