// SPDX-License-Identifier: MIT
#include "collector-proc/frame_cache.h"

#include <gtest/gtest.h>

#include "collector-proc/proc_tree.h"
#include "formats/emit/flags.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

class FrameCacheTest : public testing::Test {
 protected:
  FrameCache open(std::uint64_t flag_mask = PM_PAGE_STABLE_MASK) {
    const Result<ProcTree> tree = ProcTree::open(fixture_.root());
    return {open_at(tree->fd(), "kpagecount"), open_at(tree->fd(), "kpageflags"), flag_mask};
  }
  static std::string tally(FrameCache& frames, std::uint64_t pfn, std::uint64_t pages) {
    pm_page_counts counts{};
    frames.tally(pfn, pages, counts);
    return std::to_string(counts.single_use) + " single, " + std::to_string(counts.shared) + " shared";
  }
  static pm_page describe(FrameCache& frames, std::uint64_t pfn) {
    pm_page page{};
    frames.describe(pfn, 1, &page);
    return page;
  }
  FixtureTree fixture_;
};

TEST_F(FrameCacheTest, CountsSingleUseAndSharedPages) {
  fixture_.frame(10, 1, PM_PAGE_ANON);
  fixture_.frame(11, 200, PM_PAGE_MMAP);
  fixture_.frame(12, 0, PM_PAGE_ZERO_PAGE);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, 10, 3), "1 single, 1 shared");
  EXPECT_EQ(describe(frames, 11).count, 200u);
  EXPECT_EQ(describe(frames, 11).flags, PM_PAGE_MMAP);
  EXPECT_EQ(describe(frames, 12).flags, PM_PAGE_ZERO_PAGE);
}

TEST_F(FrameCacheTest, LeavesOutFlagsThatTheKernelIsWrongAbout) {
  fixture_.frame(10, 1, PM_PAGE_ANON | PM_PAGE_KSM);
  FrameCache frames = open(~std::uint64_t{PM_PAGE_KSM});
  EXPECT_EQ(tally(frames, 10, 1), "1 single, 0 shared");
  EXPECT_EQ(describe(frames, 10).flags, PM_PAGE_ANON);
}

// The files say something else the second time; only the frame that was not known yet is read again.
TEST_F(FrameCacheTest, ReadsEachFrameOnce) {
  for (std::uint64_t pfn : {10u, 11u, 13u, 14u}) fixture_.frame(pfn, 1, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, 10, 2), "2 single, 0 shared");
  EXPECT_EQ(tally(frames, 13, 2), "2 single, 0 shared");
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 5, 0);
  EXPECT_EQ(tally(frames, 10, 5), "4 single, 1 shared");
}

TEST_F(FrameCacheTest, ReadsAcrossChunksAndLongRuns) {
  constexpr std::uint64_t kFirst = 32768 - 1000;
  for (std::uint64_t i = 0; i < 2000; ++i) fixture_.frame(kFirst + i, 1 + i % 2, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, kFirst, 2000), "1000 single, 1000 shared");
  EXPECT_EQ(tally(frames, kFirst, 2000), "1000 single, 1000 shared");
  EXPECT_EQ(describe(frames, kFirst + 1999).count, 2u);
}

TEST_F(FrameCacheTest, KeepsOnlyStableFlagsAndBoundsTheCount) {
  fixture_.frame(10, std::uint64_t{1} << 40, std::uint64_t{1} << 32 | PM_PAGE_PGTABLE);
  FrameCache frames = open();
  tally(frames, 10, 1);
  EXPECT_EQ(describe(frames, 10).count, 0xffffffffu);
  EXPECT_EQ(describe(frames, 10).flags, PM_PAGE_PGTABLE);
}

TEST_F(FrameCacheTest, AFrameBeyondTheFilesIsDeviceMemory) {
  fixture_.frame(10, 1, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, 10, 3), "1 single, 0 shared");
  EXPECT_EQ(frames.unreadable(), 2u);
  EXPECT_EQ(describe(frames, 11).count, 0u);
  EXPECT_EQ(describe(frames, 11).flags, PM_PAGE_NOPAGE);
  EXPECT_EQ(tally(frames, (std::uint64_t{1} << 55) - 2, 1), "0 single, 0 shared");
  EXPECT_EQ(frames.unreadable(), 3u);
}

}  // namespace
}  // namespace physmem::collect
