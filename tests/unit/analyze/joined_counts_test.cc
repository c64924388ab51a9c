// SPDX-License-Identifier: MIT
// Use counts by the snapshot's own page tables.
#include "analyzer/analyze/verify/joined_counts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/parse/snapshot_reader.h"
#include "formats/emit/flags.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

/// What arrives behind the join, in short.
class Recorder : public Events {
 public:
  void on_header(const Header& header) override {
    is_mapcount = header.count == Header::Count::kMapcount;
  }
  void on_counts(const PageCounts& counts) override {
    events.push_back(fmt::format("P {} {} {}", counts.user, counts.single_use, counts.shared));
  }
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
    for (const PageRun& run : runs)
      events.push_back(fmt::format("{:X}={:X} {} x{}", run.va, run.value, run.pages, run.count));
    shared += sums.shared;
  }
  void on_swapped(std::span<const SwapEntry> entries) override {
    events.push_back(fmt::format("S {}", entries.size()));
  }
  void on_end(const SnapshotEnd&) override { events.emplace_back("end"); }

  bool is_mapcount = false;
  std::uint64_t shared = 0;
  std::vector<std::string> events;
};

class Joined : public testing::Test {
 protected:
  Joined() : joined(recorder) {
    Header header;
    header.phys_mask = 0x000FFFFFFFFFF000;
    header.page_size = PageSize{4096};
    header.count = Header::Count::kAverage;
    header.has_pages = true;
    joined.on_header(header);
  }
  void task(std::uint64_t mm) {
    Task task;
    task.mm = mm;
    joined.on_task(std::move(task));
  }
  void area(const std::vector<PageRun>& runs) {
    joined.on_vma(Vma{});
    PageCounts counts;
    for (const PageRun& run : runs) counts.user += run.pages;
    joined.on_counts(counts);
    joined.on_pages(runs, {});
  }
  const std::vector<std::string>& end() {
    joined.on_end({});
    return recorder.events;
  }

  Recorder recorder;
  JoinedCounts joined;
};

TEST_F(Joined, CountsMappingsOfAllProcesses) {
  task(1);
  area({{.va = 0x1000, .value = 0x5000, .pages = 1, .count = 9, .flags = 0}});
  task(2);
  area({{.va = 0x8000, .value = 0x5000, .pages = 1, .count = 9, .flags = 0}});
  EXPECT_THAT(end(), ElementsAre("P 1 0 1", "1000=5000 1 x2", "P 1 0 1", "8000=5000 1 x2", "end"));
  EXPECT_TRUE(recorder.is_mapcount);
  EXPECT_EQ(recorder.shared, 2u);
}

TEST_F(Joined, SplitsRunsWhereTheNumberOfMappingsChanges) {
  task(1);
  area({{.va = 0x1000, .value = 0x5000, .pages = 8, .count = 1, .flags = 0}});
  task(2);
  area({{.va = 0x8000, .value = 0x7000, .pages = 2, .count = 1, .flags = 0}});
  EXPECT_THAT(end(), ElementsAre("P 8 6 2", "1000=5000 2 x1", "3000=7000 2 x2", "5000=9000 4 x1",
                                 "P 2 0 2", "8000=7000 2 x2", "end"));
}

TEST_F(Joined, CountsTwoMappingsOfOneProcess) {
  task(1);
  area({{.va = 0x1000, .value = 0x5000, .pages = 1, .count = 1, .flags = 0},
        {.va = 0x9000, .value = 0x5000, .pages = 1, .count = 1, .flags = 0}});
  EXPECT_THAT(end(), ElementsAre("P 2 0 2", "1000=5000 1 x2", "9000=5000 1 x2", "end"));
}

TEST_F(Joined, CountsAreasThatThreadsRepeatOnce) {
  for (int thread = 0; thread < 2; ++thread) {
    task(1);
    area({{.va = 0x1000, .value = 0x5000, .pages = 1, .count = 1, .flags = 0}});
  }
  EXPECT_THAT(end(), ElementsAre("P 1 1 0", "1000=5000 1 x1", "P 1 1 0", "1000=5000 1 x1", "end"));
}

TEST_F(Joined, KeepsWhatTheKernelDoesNotCount) {
  task(1);
  area({{.va = 0x1000, .value = 0x5000, .pages = 1, .count = 0, .flags = PM_PAGE_ZERO_PAGE},
        {.va = 0x2000, .value = 0x5000, .pages = 1, .count = 0, .flags = PM_PAGE_ZERO_PAGE}});
  joined.on_swapped(std::vector<SwapEntry>{{0x3000, 0, 7}});
  EXPECT_THAT(end(), ElementsAre("P 2 0 0", "1000=5000 1 x0", "2000=5000 1 x0", "S 1", "end"));
}

// The sample's counts include only its one process, except for the pages of cat, which others map.
TEST(JoinedSample, HasTheSameEventsOtherwise) {
  const auto source = text_source(kSample);
  SnapshotReader reader(*source, "s", {});
  Recorder recorder;
  JoinedCounts joined(recorder);
  ASSERT_TRUE(reader.next(joined));
  EXPECT_THAT(recorder.events, ElementsAre("P 2 2 0", "55D0C1A00000=1A2B3000 2 x1", "P 1 1 0",
                                           "7FFD3E020000=2C0F5000 1 x1", "S 1", "end"));
}

}  // namespace
}  // namespace physmem
