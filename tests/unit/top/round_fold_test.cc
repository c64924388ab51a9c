// SPDX-License-Identifier: MIT
#include "top/model/round_fold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/unit/series_text.h"
#include "tests/unit/snapshot_text.h"
#include "top/model/details.h"

namespace physmem::top {
namespace {

using testing::ElementsAre;

/// Reads all snapshots of the text; the rounds after each.
std::vector<Round> rounds_of(const std::string& text) {
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  RoundFold fold;
  std::vector<Round> rounds;
  for (;;) {
    Census census({&fold});
    const auto more = reader.next(census);
    EXPECT_TRUE(more) << (more ? "" : more.error().text);
    if (!more || !*more) return rounds;
    rounds.push_back(fold.round());
  }
}

/// A series whose tasks have address spaces, so that they are not kernel threads.
std::vector<Round> rounds_of(const SeriesText& series) {
  static const std::regex no_address_space("(T: \\S+ *, )(\\d+), 00000000");
  return rounds_of(std::regex_replace(series.text(), no_address_space, "$1$2, 00000$2"));
}

TEST(RoundFold, TakesSizesFromTheCountersOfARecording) {
  const std::string text =
      with(with(with(kHeaderLine, "pages=all", "pages=none"), "pfn=shown", "areas=none"),
           "time_ns=0", "time_ns=5") +
      "G: mem.MemTotal_kB=1000, mem.MemFree_kB=400, mem.AnonPages_kB=100, mem.Cached_kB=300, "
      "mem.Shmem_kB=50, mem.Buffers_kB=20, mem.Slab_kB=30, load.1m_centi=152\n"
      "G: process.7.rss_kB=90, process.7.swap_kB=8, process.7.uss_kB=40, process.7.pss_kB=55\n"
      "T: cat     , 7, 00000007, 0, 0, 0, 0, 0, 0, 0, 7, 1, 1, 33, 20, 3, 5, 6, /a.slice\n"
      "E: 1, 0, 0, 0, 0\n";
  const auto rounds = rounds_of(text);
  ASSERT_EQ(rounds.size(), 1u);
  const Round& round = rounds.front();
  EXPECT_EQ(round.load_centi, 152u);
  // Anonymous, shared, files, kernel, other, free.
  constexpr std::array<std::uint64_t, kMemoryParts> kParts{
      100, 50, 300 + 20 - 50, 30, 1000 - 400 - 100 - 320 - 30, 400};
  EXPECT_EQ(round.memory->parts, kParts);
  ASSERT_EQ(round.processes.size(), 1u);
  const ProcessState& cat = *round.processes.front();
  EXPECT_EQ(cat.uss, 40u);
  EXPECT_EQ(cat.pss, 55u);
  EXPECT_EQ(cat.rss, 90u);
  EXPECT_EQ(cat.swap, 8u);
  EXPECT_EQ(cat.minors, 20u);
  EXPECT_EQ(cat.majors, 3u);
  EXPECT_EQ(cat.ticks, 11u);
  EXPECT_EQ(cat.uid, 33u);
  EXPECT_EQ(cat.cgroup.text(), "/a.slice");
}

TEST(RoundFold, SumsUpThePagesOfASnapshotWithAreas) {
  const auto rounds = rounds_of(std::string(kSample));
  ASSERT_EQ(rounds.size(), 1u);
  ASSERT_EQ(rounds[0].processes.size(), 1u) << "kernel threads are left out";
  const ProcessState& cat = *rounds[0].processes.front();
  EXPECT_EQ(cat.rss, 12u) << "three pages";
  EXPECT_EQ(cat.uss, 4u) << "the page of the stack";
  EXPECT_EQ(cat.pss, 8u) << "and two pages that two processes share";
  EXPECT_EQ(cat.swap, 4u);
}

TEST(RoundFold, LeavesSizesOpenThatASeriesOfTasksDoesNotHave) {
  const auto rounds = rounds_of(SeriesText().add({.processes = {{"load", {.majors = 3}}}}));
  ASSERT_EQ(rounds.size(), 2u);
  ASSERT_EQ(rounds[1].processes.size(), 1u);
  EXPECT_FALSE(rounds[1].processes.front()->rss);
  EXPECT_FALSE(rounds[1].processes.front()->pss);
  EXPECT_EQ(rounds[1].processes.front()->majors, 3u);
}

TEST(RoundFold, JudgesTheSecondRoundAndSharesUnchangedProcesses) {
  const auto rounds =
      rounds_of(SeriesText().add({.processes = {{"busy", {.minors = 9}}, {"idle", {}}}}, 2));
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_FALSE(rounds[0].verdict);
  ASSERT_TRUE(rounds[1].verdict);
  ASSERT_EQ(rounds[2].processes.size(), 2u);
  EXPECT_EQ(rounds[1].verdict->level, Level::kIdle);
  EXPECT_NE(rounds[1].processes[0], rounds[2].processes[0]) << "its faults changed";
  EXPECT_EQ(rounds[1].processes[1], rounds[2].processes[1]);
}

TEST(RoundFold, ReportsThrashing) {
  const Second thrashing{.refaults = 5000,
                         .scanned = 9000,
                         .full = 0.3,
                         .processes = {{"load", {.majors = 900, .cpu_ms = 20}}}};
  const auto rounds = rounds_of(SeriesText().add(thrashing, 20));
  EXPECT_EQ(rounds.back().verdict->level, Level::kThrashing);
}

TEST(DetailsFold, HasRegionsFilesAndMapsOfAProcess) {
  DetailsFold fold;
  physmem::fold(kSample, fold.analyses(), {371});
  const Details& details = fold.details();
  EXPECT_EQ(details.pid, 371u);
  EXPECT_EQ(details.total.rss, 12u);
  EXPECT_EQ(details.total.pss, 8u);
  ASSERT_EQ(details.files.size(), 2u);
  EXPECT_EQ(details.files[0].path, "/usr/bin/cat");
  EXPECT_EQ(details.files[0].sizes.pss, 4u);
  EXPECT_EQ(details.files[1].path, "[stack]");
  EXPECT_EQ(details.files[1].sizes.swap, 4u);
  ASSERT_EQ(details.regions.size(), 2u);
  EXPECT_EQ(details.regions[0].name, "stack");
  ASSERT_EQ(details.maps.size(), 4u) << "two areas with a line each";
  EXPECT_TRUE(details.maps[0].is_heading);
  EXPECT_EQ(details.maps[1].text, "55D0C1A00000");
  EXPECT_THAT(details.maps[1].cells, testing::StartsWith("22 "));
  EXPECT_FALSE(details.are_maps_cut);
}

TEST(DetailsFold, NamesAnonymousMemoryAsPhysmemAnalyzeDoes) {
  const std::string text = std::string(kHeaderLine) + std::string(kTaskLine) +
                           "V: 10000, 11FFF, 2000, 0, 0, 3, NULL, 0, 00:00, 0\n"
                           "P: 0, 0, 0, 0, 0, 0\n"
                           "E: 1, 1, 0, 0, 0\n";
  DetailsFold fold;
  physmem::fold(text, fold.analyses(), {7});
  EXPECT_EQ(fold.details().files.at(0).path, "[anon]");
  EXPECT_EQ(fold.details().maps.at(0).text, "00010000-00011FFF rw- 8 KiB, 0 KiB resident  [anon]");
}

/// A library with a text of two pages and a RELRO of four: one page of it was written and is
/// resident, one was written and is in swap, one is a page of the file.
TEST(DetailsFold, CountsRelroAsDataWithoutMoreResidentPagesThanVirtualOnes) {
  const std::string text = std::string(kHeaderLine) + std::string(kTaskLine) +
                           "V: 10000, 11FFF, 2000, 2000, 0, 5, /lib/a.so, 0, FE:01, 7\n"
                           "P: 2, 0, 0, 2, 0, 0\n"
                           "M: 10000=1000, 1, 0000086C | 11000=2000, 1, 0000086C |\n"
                           "V: 12000, 15FFF, 4000, 2000, 0, 1, /lib/a.so, 2000, FE:01, 7\n"
                           "P: 2, 0, 0, 2, 0, 1\n"
                           "M: 12000=3000, 1, 00005868 | 13000=4000, 1, 0000086C |\n"
                           "S: 14000=0:000002A4 |\n"
                           "E: 1, 2, 4, 1, 0\n";
  DetailsFold fold;
  physmem::fold(text, fold.analyses(), {7});
  const std::vector<RegionRow>& regions = fold.details().regions;
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, "library text");
  EXPECT_EQ(regions[0].sizes.rss, 12u);
  EXPECT_EQ(regions[0].sizes.virtual_size, 16u) << "two pages, and two of RELRO that are the file";
  EXPECT_EQ(regions[0].sizes.swap, 0u);
  EXPECT_EQ(regions[1].name, "library data");
  EXPECT_EQ(regions[1].sizes.rss, 4u);
  EXPECT_EQ(regions[1].sizes.virtual_size, 8u) << "those that were written";
  EXPECT_EQ(regions[1].sizes.swap, 4u);
  EXPECT_EQ(fold.details().total.virtual_size, 24u);
}

}  // namespace
}  // namespace physmem::top
