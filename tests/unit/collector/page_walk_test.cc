// SPDX-License-Identifier: MIT
#include "collector-proc/page_walk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <ctime>
#include <fstream>
#include <utility>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::ElementsAre;

/// A process with id 7. Areas are given in pages.
class PageWalkTest : public testing::Test {
 protected:
  PageWalkTest() { fixture_.process({.tid = 7}); }

  void entry(std::uint64_t page, std::uint64_t value) { fixture_.page(7, page * kPageSize, value); }
  void area(std::uint64_t first, std::uint64_t end) {
    add_area(first * kPageSize, end * kPageSize);
  }
  void add_area(std::uint64_t start, std::uint64_t end) {
    Area area;
    area.start = start;
    area.end = end;
    areas_.push_back(area);
  }

  // The content of each area: "page=frame+pages ..." and "page~type:slot ...".
  std::vector<std::string> walk(std::uint64_t swap_devices = 1) {
    const Result<ProcTree> tree = ProcTree::open(fixture_.root());
    FrameTable table(open_at(tree->fd(), "kpagecount"), open_at(tree->fd(), "kpageflags"));
    FrameCache frames(table);
    const UniqueFd pagemap = open_at(tree->fd(), "7/task/7/pagemap");
    PageWalk walk(frames, kPageSize, swap_devices, true, true);
    walk.begin(pagemap.get(), areas_, {10, 0});
    std::vector<std::string> found;
    for (std::size_t i = 0; i < areas_.size(); ++i) {
      AreaPages pages;
      if (walk.read(i, pages) != Access::kRead) return {"gone"};
      found.push_back(text_of(pages));
    }
    notes_ = walk.notes();
    return found;
  }

  static std::string text_of(const AreaPages& pages) {
    std::string text;
    for (const PageRun& run : pages.resident)
      text += std::to_string(run.vpn()) + "=" + std::to_string(run.pfn()) + "+" +
              std::to_string(run.pages()) + " ";
    for (const SwapEntry& swap : pages.swapped)
      text += std::to_string(swap.vpn) + "~" + std::to_string(swap.type()) + ":" +
              std::to_string(swap.slot()) + " ";
    return text + "(" + std::to_string(pages.counts.user) + ", " +
           std::to_string(pages.counts.swapped) + ")";
  }

  FixtureTree fixture_;
  std::vector<Area> areas_;
  WalkNotes notes_;
};

TEST_F(PageWalkTest, JoinsConsecutivePages) {
  entry(100, present(50));
  entry(101, present(51));
  entry(102, present(40));
  entry(104, present(41));
  area(100, 110);
  EXPECT_THAT(walk(), ElementsAre("100=50+2 102=40+1 104=41+1 (4, 0)"));
}

TEST_F(PageWalkTest, ReadsAreasWithinAndAcrossPageTables) {
  for (std::uint64_t page = 500; page < 1700; ++page) entry(page, present(page + 5000));
  area(500, 510);
  area(510, 511);
  area(512, 1600);
  area(1650, 1660);
  EXPECT_THAT(walk(), ElementsAre("500=5500+10 (10, 0)", "510=5510+1 (1, 0)",
                                  "512=5512+512 1024=6024+512 1536=6536+64 (1088, 0)",
                                  "1650=6650+10 (10, 0)"));
}

TEST_F(PageWalkTest, DistinguishesSwapFromEntriesInTransit) {
  entry(100, swapped(0, 0x2a4));
  entry(101, swapped(31, 7));
  entry(102, swapped(2, 9));  // the third device; the other two were switched off (swapoff)
  area(100, 110);
  EXPECT_THAT(walk(), ElementsAre("100~0:676 102~2:9 (0, 2)"));
  EXPECT_EQ(notes_.in_transit, 1u);
  EXPECT_THAT(walk(0), ElementsAre("(0, 0)"));
  EXPECT_EQ(notes_.in_transit, 3u);
}

TEST_F(PageWalkTest, DistinguishesBrokenFramesFromThoseThatAreMoved) {
  fixture_.frame(50, 0, PM_PAGE_HWPOISON);
  fixture_.frame(51, 1, PM_PAGE_ANON);
  entry(100, swapped(26, 50));
  entry(101, swapped(28, 51));
  entry(102, swapped(31, 6));  // the marker of a lost page, which has no frame
  area(100, 110);
  EXPECT_THAT(walk(), ElementsAre("(0, 0)"));
  EXPECT_EQ(notes_.in_transit, 3u);
  EXPECT_EQ(notes_.poisoned, 1u);
  EXPECT_EQ(notes_.migrating, 1u);
}

TEST_F(PageWalkTest, CountsFrameZeroAsMissing) {
  entry(100, present(0));
  entry(101, present(1));
  area(100, 110);
  EXPECT_THAT(walk(), ElementsAre("101=1+1 (1, 0)"));
  EXPECT_EQ(notes_.frame_missing, 1u);
}

TEST_F(PageWalkTest, FindsNoPagesBeyondEndOfPagemap) {
  entry(100, present(50));
  area(100, 110);
  area(4000, 4010);
  add_area(0xffffffffff600000, 0xffffffffff601000);
  EXPECT_THAT(walk(), ElementsAre("100=50+1 (1, 0)", "(0, 0)", "(0, 0)"));
}

TEST_F(PageWalkTest, TreatsEmptyPagemapAsEndedProcess) {
  fixture_.file("7/task/7/pagemap", "");
  area(100, 110);
  EXPECT_THAT(walk(), ElementsAre("gone"));
}

// A regular file does not support PAGEMAP_SCAN: the plain read must find the same pages.
TEST_F(PageWalkTest, ReadsSparseAreaWithoutScan) {
  entry(100'000, present(50));
  entry(199'999, present(51));
  area(100'000, 200'000);
  EXPECT_THAT(walk(), ElementsAre("100000=50+1 199999=51+1 (2, 0)"));
}

TEST(PageWalk, ScansOnlyAreasFarLargerThanResidentPages) {
  constexpr std::uint64_t kSixtyFourGiB = std::uint64_t{64} << 18;  // in pages
  EXPECT_TRUE(is_worth_scanning(kSixtyFourGiB, 1024));
  EXPECT_TRUE(is_worth_scanning(kSixtyFourGiB, kSixtyFourGiB / 5));
  EXPECT_FALSE(is_worth_scanning(kSixtyFourGiB, kSixtyFourGiB / 4));
  EXPECT_FALSE(is_worth_scanning(kSixtyFourGiB, kSixtyFourGiB));
  EXPECT_FALSE(is_worth_scanning(1000, 0)) << "reading a small area is faster than scanning it";
}

/// Bytes that read() and pread() of this thread have returned so far, or 0 if it is not counted.
std::uint64_t bytes_read() {
  std::ifstream file("/proc/thread-self/io");
  std::string name;
  std::uint64_t bytes = 0;
  file >> name >> bytes;
  return name == "rchar:" ? bytes : 0;
}

struct OwnWalk {
  std::uint64_t bytes = 0;  // bytes read during the walk
  std::uint64_t pages = 0;  // pages found
};

/// Walks an area of this process.
OwnWalk walk_self(const Area& area, std::uint64_t resident_pages) {
  const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  FrameTable table(UniqueFd(::open("/proc/kpagecount", O_RDONLY | O_CLOEXEC)),
                   UniqueFd(::open("/proc/kpageflags", O_RDONLY | O_CLOEXEC)));
  FrameCache frames(table);
  PageWalk walk(frames, kPageSize, 1, true);
  const std::vector<Area> areas{area};
  AreaPages pages;
  const std::uint64_t before = bytes_read();
  walk.begin(pagemap.get(), areas, {resident_pages, 0});
  EXPECT_EQ(walk.read(0, pages), Access::kRead);
  return {bytes_read() - before, pages.counts.user + walk.notes().frame_missing};
}

// An area of 64 GiB with 1024 resident pages: both methods find all of them. The plain read takes 8
// bytes for each of 16 million pages. The scan reads only the ranges around resident pages.
TEST(PageWalk, ScanFindsEveryPageOfSparseArea) {
  constexpr std::uint64_t kBytes = std::uint64_t{64} << 30;
  void* const map = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) GTEST_SKIP() << "no 64 GiB of address space";
  ::madvise(map, kBytes, MADV_NOHUGEPAGE);
  for (std::uint64_t i = 0; i < 1024; ++i) static_cast<char*>(map)[i * (kBytes / 1024)] = 1;
  Area area;
  area.start = reinterpret_cast<std::uint64_t>(map);
  area.end = area.start + kBytes;
  const OwnWalk scanned = walk_self(area, 1024);
  const OwnWalk plain = walk_self(area, kBytes / kPageSize);
  std::vector<Region> regions;
  const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  const bool has_scan =
      PagemapScan(kernel_scan(pagemap.get()), area.start, area.end, scan_window(0)).next(regions);
  ::munmap(map, kBytes);
  EXPECT_EQ(scanned.pages, 1024u);
  EXPECT_EQ(plain.pages, 1024u);
  if (!has_scan) GTEST_SKIP() << "this kernel has no PAGEMAP_SCAN (it came with Linux 6.7)";
  if (bytes_read() == 0) GTEST_SKIP() << "this kernel has no TASK_IO_ACCOUNTING";
  EXPECT_GE(plain.bytes, kBytes / kPageSize * 8);
  EXPECT_LT(scanned.bytes, plain.bytes / 10);
}

}  // namespace
}  // namespace physmem::collect
