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

TEST_F(FrameCacheTest, LeavesOutFlagsThatTheKernelIsWrongAbout) {
  fixture_.frame(10, 1, PM_PAGE_ANON | PM_PAGE_KSM);
  FrameCache frames = open(~std::uint64_t{PM_PAGE_KSM});
  EXPECT_EQ(tally(frames, 10, 1), "1 single, 0 shared");
  EXPECT_EQ(describe(frames, 10).flags, PM_PAGE_ANON);
}

// The files say something else the second time; only the frame that was not known yet is read
// again.
TEST_F(FrameCacheTest, ReadsEachFrameOnce) {
  for (std::uint64_t pfn : {10u, 11u, 13u, 14u}) fixture_.frame(pfn, 1, 0);
  FrameCache frames = open();
  EXPECT_EQ(tally(frames, 10, 2), "2 single, 0 shared");
  EXPECT_EQ(tally(frames, 13, 2), "2 single, 0 shared");
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 5, 0);
  EXPECT_EQ(tally(frames, 10, 5), "4 single, 1 shared");
}

TEST_F(FrameCacheTest, ReadsAcrossChunksAndLongRuns) {
  constexpr std::uint64_t kFirst = FrameTable::kChunkFrames - 1000;
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

// Frames between wanted ones are read with them, but a process may get one of them before it is
// walked.
TEST_F(FrameCacheTest, KeepsNothingOfFramesThatNobodyWanted) {
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 1, 0);
  FrameCache frames = open();
  for (const std::uint64_t pfn : {14u, 10u, 12u}) frames.want(pfn);
  frames.learn();
  for (std::uint64_t pfn = 10; pfn < 15; ++pfn) fixture_.frame(pfn, 5, 0);
  EXPECT_EQ(tally(frames, 10, 5), "3 single, 2 shared");
}

// Any frames in any order, about half of them wanted, also those at both ends of chunks and of what
// one call reads.
TEST_F(FrameCacheTest, LearnsWhatTheFilesSay) {
  std::mt19937_64 random(20261122);
  constexpr std::uint64_t kFrames = 3000;
  constexpr std::uint64_t kFirst = FrameTable::kChunkFrames - kFrames / 2;
  std::vector<std::uint64_t> facts;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    facts.push_back(random() % 1000);
    fixture_.frame(kFirst + i, facts.back() / 4, facts.back() % 4);
  }
  for (const std::uint64_t one_in : {1u, 2u, 4u, 40u}) {
    FrameCache frames = open();
    std::vector<std::uint64_t> wanted;
    for (std::uint64_t i = 0; i < kFrames; ++i) {
      if (random() % one_in == 0) wanted.push_back(i);
    }
    std::shuffle(wanted.begin(), wanted.end(), random);
    for (const std::uint64_t i : wanted) frames.want(kFirst + i);
    frames.learn();
    for (const std::uint64_t i : wanted) {
      const pm_page page = describe(frames, kFirst + i);
      ASSERT_EQ(page.count * 4 + page.flags, facts[i]) << "frame " << i << " of 1 in " << one_in;
    }
  }
}

// Two threads at the same frames while the files change: whoever was first, both say the same.
TEST_F(FrameCacheTest, WhatIsKnownNeverChanges) {
  constexpr std::uint64_t kFrames = 2000;
  for (std::uint64_t pfn = 1; pfn <= kFrames; ++pfn) fixture_.frame(pfn, 1, 0);
  const Result<ProcTree> tree = ProcTree::open(fixture_.root());
  FrameTable table(open_at(tree->fd(), "kpagecount"), open_at(tree->fd(), "kpageflags"),
                   PM_PAGE_STABLE_MASK, FrameTable::Use::kManyFrames, true);
  std::array<std::vector<std::uint64_t>, 2> told;
  {
    std::vector<std::jthread> threads;
    for (std::vector<std::uint64_t>& mine : told) {
      threads.emplace_back([&] {
        FrameCache frames(table);
        for (std::uint64_t pfn = 1; pfn <= kFrames; ++pfn) {
          pm_page_counts counts{};
          frames.tally(pfn, 1, counts);
          mine.push_back(describe(frames, pfn).count);
        }
      });
    }
    for (std::uint64_t pfn = 1; pfn <= kFrames; ++pfn) fixture_.frame(pfn, 2, 0);
  }
  EXPECT_EQ(told[0], told[1]);
}

}  // namespace
}  // namespace physmem::collect
