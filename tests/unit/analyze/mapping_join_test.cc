// SPDX-License-Identifier: MIT
// Mappings in page tables against the counts of frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/ram_witness.h"
#include "formats/emit/flags.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using Kind = RamVerdict::Kind;
using testing::IsEmpty;

class Join : public testing::Test {
 protected:
  Join() {
    header.collector = "crash";
    header.has_pages = true;
    header.count = Header::Count::kMapcount;
    header.phys_mask = 0x000FFFFFFFFFF000;
    header.page_size = PageSize(4096);
    begin();
  }
  void begin() {
    join.on_header(header);
    Task kthreadd;
    kthreadd.pid = 2;
    join.on_task(kthreadd);
  }
  void map(std::uint64_t pfn, std::uint64_t pages = 1, std::uint64_t flags = 0) {
    const PageRun run{
        .va = 0x400000, .value = pfn << 12, .pages = pages, .count = 1, .flags = flags};
    join.on_pages({}, {}, std::span(&run, 1));
  }
  void count(std::uint64_t pfn, std::uint64_t pages, std::uint64_t count,
             FrameClass use = PM_RAM_ANON) {
    RamRun run;
    run.first_pfn = pfn;
    run.pages = pages;
    run.count = count;
    run.use = use;
    join.on_ram(run);
  }
  RamVerdict verdict() {
    join.on_end();
    return mapping_verdict(join);
  }

  Header header;
  MappingJoin join;
};

TEST_F(Join, AgreesIfEveryFrameHasItsMappings) {
  map(0x100, 8);
  map(0x104, 2);
  count(0x100, 4, 1);
  count(0x104, 2, 2);
  count(0x106, 2, 1);
  count(0x108, 9, 0);
  const RamVerdict found = verdict();
  EXPECT_EQ(found.kind, Kind::kAgrees);
  EXPECT_EQ(found.ours, 10u);
  EXPECT_EQ(found.theirs.after, 10u);
  EXPECT_EQ(join.frames(), 8u);
}

TEST_F(Join, NamesFramesThatDiffer) {
  map(0x101);
  map(0x103);
  map(0x103);
  count(0x100, 4, 1);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
  ASSERT_EQ(join.differences().size(), 3u);
  EXPECT_EQ(join.differences()[0].first_pfn, 0x100u);
  EXPECT_EQ(join.differences()[0].mappings, 0u);
  EXPECT_EQ(join.differences()[1].first_pfn, 0x102u);
  EXPECT_EQ(join.differences()[2].first_pfn, 0x103u);
  EXPECT_EQ(join.differences()[2].mappings, 2u);
  EXPECT_EQ(join.different_frames(), 3u);
}

// Sums alone would agree.
TEST_F(Join, ComparesEachFrame) {
  map(0x100);
  count(0x100, 1, 0);
  count(0x101, 1, 1);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
  EXPECT_EQ(join.different_frames(), 2u);
}

TEST_F(Join, LeavesOutWhatTheKernelDoesNotCount) {
  map(0x100, 1, PM_PAGE_ZERO_PAGE);
  map(0x101, 1, PM_PAGE_NOPAGE);
  map(0x102);
  count(0x100, 2, 0);
  count(0x102, 1, 0, PM_RAM_KERNEL_DATA);
  EXPECT_EQ(verdict().kind, Kind::kAgrees);
}

TEST_F(Join, AllowsForProcessesThatRanMeanwhile) {
  header.collector = "proc";
  begin();
  count(0x100, 1024, 1);
  EXPECT_EQ(verdict().kind, Kind::kMoved);
}

TEST_F(Join, NeedsTheAreasOfAllProcesses) {
  const Counter note{"note.areas_hidden", 1};
  join.on_counters(std::span(&note, 1));
  count(0x100, 1, 1);
  EXPECT_EQ(verdict().reason, "areas of some processes are hidden");
}

TEST_F(Join, NeedsAllProcesses) {
  MappingJoin some;
  some.on_header(header);
  EXPECT_EQ(some.obstacle(), "the snapshot is not of all processes");
}

TEST_F(Join, SaysWhyCountsCannotBeCompared) {
  header.count = Header::Count::kAverage;
  begin();
  count(0x100, 1, 1);
  const RamVerdict found = verdict();
  EXPECT_EQ(found.kind, Kind::kUnknowable);
  EXPECT_EQ(found.reason, "counts are not those of mappings");
  EXPECT_THAT(join.differences(), IsEmpty());
}

}  // namespace
}  // namespace physmem
