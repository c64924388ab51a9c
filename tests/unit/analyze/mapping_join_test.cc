// SPDX-License-Identifier: MIT
// Mappings in page tables against the counts of frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/verify/mapping_witness.h"
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
    header.page_size = PageSize{4096};
    begin();
  }
  void begin() {
    join.on_header(header);
    ledger.on_header(header);
    Task kthreadd;
    kthreadd.pid = 2;
    join.on_task(kthreadd);
  }
  void map(std::uint64_t pfn, std::uint64_t pages = 1, std::uint64_t flags = 0,
           std::uint64_t count = 1) {
    const PageRun run{
        .va = 0x400000, .value = pfn << 12, .pages = pages, .count = count, .flags = flags};
    join.on_pages({}, {}, std::span(&run, 1));
  }
  void page_tables(std::uint64_t pages) {
    const Counter totals[] = {{"ram.before.page_tables", pages}, {"ram.after.page_tables", pages}};
    ledger.on_counters(totals);
  }
  void count(std::uint64_t pfn, std::uint64_t pages, std::uint64_t count,
             FrameClass use = PM_RAM_ANON) {
    RamRun run;
    run.first_pfn = pfn;
    run.pages = pages;
    run.count = count;
    run.use = use;
    if (pfn > at) join.on_ram({at, pfn - at, PM_RAM_KERNEL_DATA});
    at = pfn + pages;
    join.on_ram(run);
  }
  RamVerdict verdict() {
    join.on_end();
    return mapping_verdict(join, ledger);
  }

  Header header;
  MappingJoin join;
  Ledger ledger;
  std::uint64_t at = 0;  ///< the end of the last run
};

TEST_F(Join, AgreesIfEveryFrameHasItsMappings) {
  map(0x100, 4);
  map(0x104, 2, 0, 2);
  map(0x106, 2);
  map(0x104, 2, 0, 2);
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

// The count in M: is read on its own.
TEST_F(Join, ComparesTheCountsOfBothLines) {
  map(0x100, 1, 0, 2);
  map(0x101);
  count(0x100, 2, 1);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
  ASSERT_EQ(join.differences().size(), 1u);
  EXPECT_EQ(join.differences()[0].first_pfn, 0x100u);
  EXPECT_EQ(join.differences()[0].pages, 1u);
  EXPECT_EQ(join.differences()[0].mappings, 1u);
  EXPECT_EQ(join.differences()[0].count, 1u);
  EXPECT_EQ(join.differences()[0].listed, 2u);
}

// The second process did not run in the meantime: M: has its entry, too.
TEST_F(Join, ComparesTheCountOfEachEntry) {
  map(0x100, 1, 0, 2);
  map(0x100, 1, 0, 1);
  count(0x100, 1, 2);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
}

// The sum of the counts alone would agree.
TEST_F(Join, ComparesEachCountOfEntriesOfOneFrame) {
  map(0x100, 1, 0, 3);
  map(0x100, 1, 0, 1);
  count(0x100, 1, 2);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
}

TEST_F(Join, MovesOnARunningSystemIfTheCountsOfTheLinesDiffer) {
  header.collector = "proc";
  begin();
  map(0x100, 1, 0, 2);
  map(0x101);
  count(0x100, 2, 1);
  const RamVerdict found = verdict();
  EXPECT_EQ(found.kind, Kind::kMoved);
  EXPECT_EQ(found.frames_off, 1u);
}

// 4 page tables of 4 KiB have 4096 entries of 4 bytes, and CPUs may keep 1024 more.
constexpr std::uint64_t kEntries = (4 + 1024) * 1024;

TEST_F(Join, AllowsForAsManyMappingsAsPageTablesHaveEntries) {
  header.collector = "proc";
  begin();
  page_tables(4);
  map(0x100, 1, 0, kEntries);
  map(0x101, kEntries);
  count(0x100, 1, kEntries);
  count(0x101, kEntries, 1);
  EXPECT_EQ(verdict().kind, Kind::kMoved);
}

TEST_F(Join, DiffersByMoreMappingsThanPageTablesHaveEntries) {
  header.collector = "proc";
  begin();
  page_tables(4);
  map(0x101, kEntries);
  count(0x100, 1, kEntries + 1);
  count(0x101, kEntries, 1);
  const RamVerdict found = verdict();
  EXPECT_EQ(found.kind, Kind::kDiffers);
  EXPECT_EQ(found.note,
            "frame 00000100 has 1052673 mappings, more than page tables can have had entries");
}

// One entry, twice after a fork, and 65,530 areas of a new process.
TEST_F(Join, DiffersByMoreMappingsThanEntriesAndThoseOfNewProcesses) {
  header.collector = "proc";
  begin();
  map(0x100);
  count(0x100, 1, 2 + 65'530);
  EXPECT_EQ(verdict().kind, Kind::kMoved);
  begin();
  map(0x100);
  count(0x100, 1, 2 + 65'530 + 1);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
}

TEST_F(Join, DiffersByMoreMappingsThanAFrameCanHave) {
  header.collector = "proc";
  begin();
  map(0x100, 1, 0, std::uint64_t{1} << 40);
  count(0x100, 1, 1);
  EXPECT_EQ(verdict().kind, Kind::kDiffers);
}

TEST_F(Join, DiffersByAPageOfTheListsOutsideOfRam) {
  header.collector = "proc";
  begin();
  map(0x103, 1, PM_PAGE_LRU, 0);
  map(0x204, 1, 0, 0);
  count(0x100, 1, 0);
  const RamVerdict found = verdict();
  EXPECT_EQ(found.kind, Kind::kDiffers);
  EXPECT_EQ(found.note, "1 frame is mapped outside of RAM, the first is 00000103");
}

TEST_F(Join, DiffersByAnEntryOutsideOfRam) {
  header.collector = "proc";
  begin();
  map(0x103, 4);
  count(0x100, 4, 1);
  const RamVerdict found = verdict();
  EXPECT_EQ(found.kind, Kind::kDiffers);
  EXPECT_EQ(found.note, "3 frames are mapped outside of RAM, the first is 00000104");
}

TEST_F(Join, DiffersByAnEntryInAHole) {
  header.collector = "proc";
  begin();
  map(0x104);
  count(0x100, 4, 0);
  count(0x104, 1, 0, PM_RAM_HOLE);
  EXPECT_EQ(verdict().note, "1 frame is mapped outside of RAM, the first is 00000104");
}

// The kernel counts no mappings of registers of devices.
TEST_F(Join, KnowsMemoryOfDevices) {
  map(0x104, 1, PM_PAGE_NOPAGE);
  map(0x105, 1, 0, 0);
  count(0x100, 4, 0);
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
