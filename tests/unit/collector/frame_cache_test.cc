// SPDX-License-Identifier: MIT
#include "collector-proc/frame_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "formats/emit/flags.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

class FrameCacheTest : public testing::Test {
 protected:
  FrameCache open(std::uint64_t flag_mask = PM_PAGE_STABLE_MASK) {
    const Result<ProcTree> tree = ProcTree::open(fixture_.root());
    table_.emplace(open_at(tree->fd(), "kpagecount"), open_at(tree->fd(), "kpageflags"), flag_mask);
    return FrameCache(*table_);
  }
  static std::string tally(FrameCache& frames, std::uint64_t pfn, std::uint64_t pages) {
    pm_page_counts counts{};
    frames.tally(pfn, pages, counts);
    return std::to_string(counts.single_use) + " single, " + std::to_string(counts.shared) +
           " shared";
  }
  static pm_page describe(FrameCache& frames, std::uint64_t pfn) {
    pm_page page{};
    frames.describe(pfn, 1, &page);
    return page;
  }
  FixtureTree fixture_;
  std::optional<FrameTable> table_;
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

TEST_F(FrameCacheTest, MasksFlagsThatTheKernelReportsWrongly) {
  fixture_.frame(10, 1, PM_PAGE_ANON | PM_PAGE_KSM);
  FrameCache frames = open(~std::uint64_t{PM_PAGE_KSM});
  EXPECT_EQ(tally(frames, 10, 1), "1 single, 0 shared");
  EXPECT_EQ(describe(frames, 10).flags, PM_PAGE_ANON);
}

// The files change before the second call. Only the frame that is not in the cache yet is read
// then.
TEST_F(FrameCacheTest, ReadsEachFrameOnce) {
  for (std::uint64_t pfn : {10u, 11u, 13u, 14u}) fixture_.frame(pfn, 1, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, 10, 2), "2 single, 0 shared");
  EXPECT_EQ(tally(frames, 13, 2), "2 single, 0 shared");
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 5, 0);
  EXPECT_EQ(tally(frames, 10, 5), "4 single, 1 shared");
}

TEST_F(FrameCacheTest, ReadsAFrameAgainThatItHasForgotten) {
  for (std::uint64_t pfn : {10u, 11u, 13u}) fixture_.frame(pfn, 1, 0);
  open();
  FrameCache frames(*table_, true);
  for (const std::uint64_t pfn : {10u, 11u, 13u}) frames.request(pfn);
  frames.learn();
  ASSERT_EQ(frames.learned().size(), 1u) << "the gap costs less than another call";
  EXPECT_EQ(frames.learned()[0].pfn, 10u);
  EXPECT_EQ(frames.learned()[0].pages, 4u);
  frames.forget();
  EXPECT_TRUE(frames.learned().empty());
  for (std::uint64_t pfn = 10; pfn < 14; ++pfn) fixture_.frame(pfn, 5, 0);
  EXPECT_EQ(tally(frames, 10, 4), "0 single, 4 shared");
}

TEST_F(FrameCacheTest, ReadsAcrossChunksAndLongRuns) {
  constexpr std::uint64_t kFirst = FrameTable::kChunkFrames - 1000;
  for (std::uint64_t i = 0; i < 2000; ++i) fixture_.frame(kFirst + i, 1 + i % 2, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, kFirst, 2000), "1000 single, 1000 shared");
  EXPECT_EQ(tally(frames, kFirst, 2000), "1000 single, 1000 shared");
  EXPECT_EQ(describe(frames, kFirst + 1999).count, 2u);
}

TEST_F(FrameCacheTest, KeepsOnlyStableFlagsAndLimitsCount) {
  fixture_.frame(10, std::uint64_t{1} << 40, std::uint64_t{1} << 32 | PM_PAGE_PGTABLE);
  FrameCache frames = open();
  tally(frames, 10, 1);
  EXPECT_EQ(describe(frames, 10).count, 0xffffffffu);
  EXPECT_EQ(describe(frames, 10).flags, PM_PAGE_PGTABLE);
}

TEST_F(FrameCacheTest, TreatsFramesBeyondFilesAsDeviceMemory) {
  fixture_.frame(10, 1, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, 10, 3), "1 single, 0 shared");
  EXPECT_EQ(frames.unreadable(), 2u);
  EXPECT_EQ(describe(frames, 11).count, 0u);
  EXPECT_EQ(describe(frames, 11).flags, PM_PAGE_NOPAGE);
  EXPECT_EQ(tally(frames, (std::uint64_t{1} << 55) - 2, 1), "0 single, 0 shared");
  EXPECT_EQ(frames.unreadable(), 3u);
}

// Frames between requested ones are read with them but not kept: a process may get such a frame
// before it is walked.
TEST_F(FrameCacheTest, DoesNotKeepFramesThatWereNotRequested) {
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 1, 0);
  FrameCache frames = open();
  for (const std::uint64_t pfn : {14u, 10u, 12u}) frames.request(pfn);
  frames.learn();
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 5, 0);
  EXPECT_EQ(tally(frames, 10, 5), "3 single, 2 shared");
}

// Random frames are requested in random order, at several densities. They include frames at both
// ends of chunks and of the range that one call reads.
TEST_F(FrameCacheTest, ReadsRequestedFramesInAnyOrder) {
  std::mt19937_64 random(20261122);
  constexpr std::uint64_t kFrames = 3000;
  constexpr std::uint64_t kFirst = FrameTable::kChunkFrames - kFrames / 2;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    expected.push_back(random() % 1000);
    fixture_.frame(kFirst + i, expected.back() / 4, expected.back() % 4);
  }
  for (const std::uint64_t one_in : {1u, 2u, 4u, 40u}) {
    FrameCache frames = open();
    std::vector<std::uint64_t> requested;
    for (std::uint64_t i = 0; i < kFrames; ++i) {
      if (random() % one_in == 0) requested.push_back(i);
    }
    std::shuffle(requested.begin(), requested.end(), random);
    for (const std::uint64_t i : requested) frames.request(kFirst + i);
    frames.learn();
    for (const std::uint64_t i : requested) {
      const pm_page page = describe(frames, kFirst + i);
      ASSERT_EQ(page.count * 4 + page.flags, expected[i]) << "frame " << i << " of 1 in " << one_in;
    }
  }
}

// Two threads read the same frames while the files change. Both must return the same counts,
// independent of the thread that reads a frame first.
TEST_F(FrameCacheTest, ReturnsSameCountsToConcurrentThreads) {
  constexpr std::uint64_t kFrames = 2000;
  for (std::uint64_t pfn = 1; pfn <= kFrames; ++pfn) fixture_.frame(pfn, 1, 0);
  const Result<ProcTree> tree = ProcTree::open(fixture_.root());
  FrameTable table(open_at(tree->fd(), "kpagecount"), open_at(tree->fd(), "kpageflags"),
                   PM_PAGE_STABLE_MASK, FrameTable::Use::kManyFrames, true);
  std::array<std::vector<std::uint64_t>, 2> counts_of;
  {
    std::vector<std::jthread> threads;
    for (std::vector<std::uint64_t>& own_counts : counts_of) {
      threads.emplace_back([&] {
        FrameCache frames(table);
        for (std::uint64_t pfn = 1; pfn <= kFrames; ++pfn) {
          pm_page_counts counts{};
          frames.tally(pfn, 1, counts);
          own_counts.push_back(describe(frames, pfn).count);
        }
      });
    }
    for (std::uint64_t pfn = 1; pfn <= kFrames; ++pfn) fixture_.frame(pfn, 2, 0);
  }
  EXPECT_EQ(counts_of[0], counts_of[1]);
}

}  // namespace
}  // namespace physmem::collect
