// SPDX-License-Identifier: MIT
// The kernel holds the mmap_lock of the process during each call of a scan, so calls have bounds.
// No page may be lost or found twice where a call ends.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "collector-proc/pagemap_scan.h"
#include "collector-proc/process_reader.h"
#include "program/unique_fd.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::size_t kGiB = std::size_t{1} << 30;

/// What the calls of a scan had in common.
struct Calls {
  std::size_t count = 0;
  std::uint64_t most_pages = 0;
  std::uint64_t longest = 0;  // bytes of addresses
};

ScanCall counted(ScanCall call, Calls& calls) {
  return [call = std::move(call), &calls](ScanArguments& arguments) {
    auto* const found = reinterpret_cast<const ScannedRegion*>(arguments.vec);
    const int regions = call(arguments);
    std::uint64_t pages = 0;
    for (int i = 0; i < regions; ++i) pages += (found[i].end - found[i].start) / kPageSize;
    ++calls.count;
    calls.most_pages = std::max(calls.most_pages, pages);
    calls.longest = std::max(calls.longest, arguments.end - arguments.start);
    return regions;
  };
}

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The regions of a whole scan; those that follow each other are joined. Nothing if it fails.
Ranges scan_all(const ScanCall& call, std::uint64_t start, std::uint64_t end,
                std::uint64_t window = scan_window(0)) {
  PagemapScan scan(call, start, end, window);
  Ranges ranges;
  std::vector<Region> regions;
  do {
    if (!scan.next(regions)) return {};
    for (const Region& region : regions) {
      EXPECT_LT(region.start, region.end);
      EXPECT_GE(region.start, ranges.empty() ? start : ranges.back().second);
      if (!ranges.empty() && ranges.back().second == region.start)
        ranges.back().second = region.end;
      else
        ranges.emplace_back(region.start, region.end);
    }
  } while (!regions.empty());
  EXPECT_EQ(scan.position(), end);
  return ranges;
}

/// Answers like the kernel (pagemap_scan_output() of fs/proc/task_mmu.c), for pages in these
/// ranges.
ScanCall simulated(const Ranges& pages) {
  return [&pages](ScanArguments& call) {
    auto* const found = reinterpret_cast<ScannedRegion*>(call.vec);
    std::uint64_t n = 0;
    std::uint64_t room = call.max_pages != 0 ? call.max_pages : kGiB;
    for (const auto& [first, last] : pages) {
      const std::uint64_t start = std::max(first, call.start);
      if (start >= std::min(last, call.end)) continue;
      call.walk_end = start;
      if (n == call.vec_len) return static_cast<int>(n);
      const std::uint64_t end = std::min({last, call.end, start + room * kPageSize});
      found[n++] = {start, end, 0};  // is empty if there is no room
      call.walk_end = end;
      room -= (end - start) / kPageSize;
      if (end < std::min(last, call.end)) return static_cast<int>(n);
    }
    call.walk_end = call.end;
    return static_cast<int>(n);
  };
}

/// `count` ranges of `pages` pages each, with a hole of one page after each of them.
Ranges row(std::uint64_t start, std::uint64_t count, std::uint64_t pages) {
  Ranges ranges;
  for (std::uint64_t i = 0; i < count; ++i, start += (pages + 1) * kPageSize)
    ranges.emplace_back(start, start + pages * kPageSize);
  return ranges;
}

TEST(ScanBound, LosesAndDoublesNoPageWhereACallEnds) {
  constexpr std::uint64_t kMax = kMaxScanPages;
  for (const auto& [count, pages] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 1},
                                                            {1, kMax},
                                                            {1, kMax + 1},
                                                            {1, 3 * kMax + 5},
                                                            {2, kMax},
                                                            {5, kMax - 1},
                                                            {512, 1},
                                                            {513, 1},
                                                            {1025, kMax / 512},
                                                            {1025, kMax / 512 + 1},
                                                            {1000, kMax / 511}}) {
    SCOPED_TRACE(testing::Message() << count << " ranges of " << pages << " pages");
    const Ranges ranges = row(kGiB, count, pages);
    Calls calls;
    EXPECT_EQ(scan_all(counted(simulated(ranges), calls), 0, 64 * kGiB), ranges);
    EXPECT_LE(calls.most_pages, kMax);
    EXPECT_LE(calls.count, count * pages / kMax + count / 512 + 2);
  }
}

TEST(ScanBound, IsSmallerInSpaceIfThereAreManyPageTables) {
  EXPECT_EQ(scan_window(0), 64 * kGiB);
  EXPECT_EQ(scan_window(2048), 64 * kGiB);
  EXPECT_EQ(scan_window(2049), kGiB);
  EXPECT_EQ(scan_window(~std::uint64_t{0}), kGiB);
  const Ranges ranges = {{kGiB - kPageSize, kGiB + kPageSize}, {9 * kGiB, 11 * kGiB}};
  Calls calls;
  EXPECT_EQ(scan_all(counted(simulated(ranges), calls), 0, 12 * kGiB, scan_window(4096)), ranges);
  EXPECT_EQ(calls.longest, kGiB);
}

// The size of the page tables is read only if there is an area that requires several windows.
TEST(ScanBound, KnowsThePageTablesOfLargeAddressSpaces) {
  FixtureTree fixture;
  fixture.process({.tid = 7});
  fixture.file("7/task/7/status", "Name:\tx\nTgid:\t7\nUid:\t0\t0\t0\t0\nVmPTE:\t    5000 kB\n");
  const auto tree = ProcTree::open(fixture.root());
  ASSERT_TRUE(tree);
  ProcessReader reader(*tree);
  reader.begin_snapshot(0, 0);
  Process process;
  AreaSource areas;
  ASSERT_EQ(reader.open(7, process), Access::kRead);
  fixture.file("7/task/7/maps", "40000000-80000000 rw-p 00000000 00:00 0\n");
  ASSERT_EQ(reader.areas(process, areas), Access::kRead);
  EXPECT_EQ(areas.page_tables_kb, 0u);
  fixture.file("7/task/7/maps", "40000000-80001000 rw-p 00000000 00:00 0\n");
  ASSERT_EQ(reader.areas(process, areas), Access::kRead);
  EXPECT_EQ(areas.page_tables_kb, 5000u);
  fixture.file("7/task/7/status", "Name:\tx\n");
  ASSERT_EQ(reader.areas(process, areas), Access::kRead);
  EXPECT_EQ(areas.page_tables_kb, ~std::uint64_t{0}) << "not known";
}

/// Memory of this process that is scanned.
class ScanBoundOfKernel : public testing::Test {
 protected:
  void map(std::size_t bytes, int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
           int file = -1) {
    bytes_ = bytes;
    start_ = static_cast<char*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0));
  }
  ~ScanBoundOfKernel() override {
    if (start_ != MAP_FAILED) ::munmap(start_, bytes_);
  }
  bool is_mapped() const { return start_ != MAP_FAILED; }
  std::uint64_t at(std::uint64_t offset) const {
    return reinterpret_cast<std::uint64_t>(start_) + offset;
  }
  /// Touches pages [offset, offset + pages * 4096) and expects them.
  void touch(std::uint64_t offset, std::uint64_t pages) {
    for (std::uint64_t i = 0; i < pages; ++i) start_[offset + i * kPageSize] = 1;
    expected_.emplace_back(at(offset), at(offset + pages * kPageSize));
  }
  void expect_found() {
    const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
    Calls calls;
    const Ranges found = scan_all(counted(kernel_scan(pagemap.get()), calls), at(0), at(bytes_));
    if (found.empty()) GTEST_SKIP() << "this kernel has no PAGEMAP_SCAN (it came with Linux 6.7)";
    EXPECT_EQ(found, expected_);
    EXPECT_LE(calls.most_pages, kMaxScanPages);
  }

  char* start_ = static_cast<char*>(MAP_FAILED);
  std::size_t bytes_ = 0;
  Ranges expected_;
};

TEST_F(ScanBoundOfKernel, FindsAdjacentPages) {
  map(kGiB);
  ::madvise(start_, bytes_, MADV_NOHUGEPAGE);
  touch(5 * kPageSize, 2 * kMaxScanPages + 5);
  expect_found();
}

TEST_F(ScanBoundOfKernel, FindsPageAfterExactlyTheMost) {
  map(kGiB);
  ::madvise(start_, bytes_, MADV_NOHUGEPAGE);
  touch(0, kMaxScanPages);
  touch(kGiB / 2, 1);
  expect_found();
}

TEST_F(ScanBoundOfKernel, FindsPagesOfFile) {
  const UniqueFd file(::memfd_create("scanned", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(file.get(), kGiB), 0);
  map(kGiB, MAP_SHARED, file.get());
  touch(7 * kPageSize, kMaxScanPages + 9);
  expect_found();
}

// The call ends within a huge page, because other pages precede it.
TEST_F(ScanBoundOfKernel, FindsWholeHugePages) {
  map(kGiB);
  const std::uint64_t first = kHugePage - at(0) % kHugePage + kHugePage;
  ::madvise(start_, first, MADV_NOHUGEPAGE);
  ::madvise(start_ + first, bytes_ - first, MADV_HUGEPAGE);
  touch(first - 3 * kPageSize, 3 + kMaxScanPages);
  expect_found();
}

TEST_F(ScanBoundOfKernel, FindsWholePagesOfHugetlbfs) {
  constexpr std::uint64_t kPages = 17;  // of 2 MiB: more than kMaxScanPages
  static_assert(kPages * kHugePage / kPageSize > kMaxScanPages);
  map(kPages * kHugePage, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB);
  if (!is_mapped()) GTEST_SKIP() << "no huge pages of 2 MiB in hugetlbfs";
  touch(0, kPages * kHugePage / kPageSize);
  expect_found();
}

}  // namespace
}  // namespace physmem::collect
