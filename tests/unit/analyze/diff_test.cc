// SPDX-License-Identifier: MIT
// Differences between two snapshots (I21).
#include <gtest/gtest.h>

#include "analyzer/analyze/diff/area_match.h"
#include "analyzer/analyze/diff/page_set.h"
#include "analyzer/analyze/diff/snapshot_diff.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

std::string text(const Change& c) {
  std::string line = fmt::format("{} to {}: +{} -{}", c.before, c.after, c.gained(), c.lost());
  if (c.swapped_before + c.swapped_after != 0)
    line += fmt::format(", swapped {} to {}", c.swapped_before, c.swapped_after);
  if (!c.is_by_page) return line + ", by counts";
  const KeptPages& k = c.kept;
  if (k.moved + k.to_private + k.to_shared != 0)
    line += fmt::format(", moved {}, to private {} ({} copied), to shared {}", k.moved,
                        k.to_private, k.copied, k.to_shared);
  return line;
}

const char* const kFates[] = {"stayed", "new", "gone", "exec"};

std::string fate(Fate fate) {
  return kFates[static_cast<std::size_t>(fate)];
}

/// One line per process and one indented line per area of it, in the order of the analysis.
/// One line per unit follows.
std::string diff_of(const std::string& before, const std::string& after) {
  SnapshotDiff diff;
  fold(before, {&diff});
  fold(after, {&diff});
  std::string lines = "\n";
  for (std::size_t i = 0; i < diff.processes().size(); ++i) {
    const ProcessChange& p = diff.processes()[i];
    lines += fmt::format("{} {} {}, {}\n", p.name, p.pid, fate(p.fate), text(p.change));
    for (const AreaChange& a : diff.areas())
      if (a.process == i)
        lines += fmt::format("  {:X}-{:X} {} {}, {}\n", a.start, a.last + 1, name(a.region),
                             fate(a.fate), text(a.change));
  }
  for (const UnitChange& u : diff.units())
    lines += fmt::format("{}: {} to {} distinct; {}\n", u.unit, u.distinct_before, u.distinct_after,
                         text(u.change));
  return lines;
}

std::string diff_of_maps(std::string_view before, std::string_view after) {
  return diff_of(maps_snapshot(before), maps_snapshot(after));
}

TEST(SnapshotDiff, ReportsPagesGainedLostAndMovedByAddress) {
  EXPECT_EQ(diff_of_maps("process a 1\n1000-5000 rw-p 0 0 [heap] : a1@10 a1@11 . a1@13\n",
                         "process a 1\n1000-5000 rw-p 0 0 [heap] : a1@10 a1@21 a1@12 .\n"),
            R"(
a 1 stayed, 3 to 3: +1 -1, moved 1, to private 0 (0 copied), to shared 0
  1000-5000 heap stayed, 3 to 3: +1 -1, moved 1, to private 0 (0 copied), to shared 0
heap: 3 to 3 distinct; 3 to 3: +1 -1, moved 1, to private 0 (0 copied), to shared 0
)");
}

TEST(SnapshotDiff, TracksAreasThatGrowSplitOrMergeButNotMove) {
  EXPECT_EQ(diff_of_maps(R"(
process a 1
1000-3000 rw-p 0 0 [heap] : a1@10 a1@11
10000-14000 rw-p 0 0 - : a1@20 a1@21 a1@22 a1@23
20000-22000 rw-p 0 0 - : a1@30 a1@31
24000-26000 rw-p 0 0 - : a1@34 a1@35
30000-31000 rw-p 0 0 - : a1@40
70000-72000 rw-pS 0 0 [stack] : . a1@50
)",
                         R"(
process a 1
1000-4000 rw-p 0 0 [heap] : a1@10 a1@11 a1@12
10000-12000 rw-p 0 0 - : a1@20 a1@21
12000-13000 r--p 0 0 - : a1@22
13000-14000 rw-p 0 0 - : a1@23
20000-26000 rw-p 0 0 - : a1@30 a1@31 a1@32 . a1@34 a1@35
40000-41000 rw-p 0 0 - : a1@41
6F000-72000 rw-pS 0 0 [stack] : a1@4F . a1@50
)"),
            R"(
a 1 stayed, 12 to 15: +4 -1
  1000-4000 heap stayed, 2 to 3: +1 -0
  10000-12000 heap stayed, 4 to 4: +0 -0
  20000-26000 heap stayed, 4 to 5: +1 -0
  30000-31000 heap gone, 1 to 0: +0 -1
  6F000-72000 stack stayed, 1 to 2: +1 -0
  40000-41000 heap new, 0 to 1: +1 -0
heap: 11 to 13 distinct; 11 to 13: +3 -1
stack: 1 to 2 distinct; 1 to 2: +1 -0
)");
}

TEST(SnapshotDiff, CountsPageAsPrivateIfAnonymousAndMappedOnce) {
  // Frames 10 and 20 are copied on write: a page of a file, and a page that was shared after a
  // fork. Frame 21 becomes private because the other process ended. Frame 22 becomes shared by a
  // fork. Frame 11 is a page of the file that moved: this is not a conversion.
  EXPECT_EQ(diff_of_maps(R"(
process a 1
1000-3000 rw-p 0 10 /lib/a.so : f1@10 f1@11
8000-B000 rw-p 0 0 [heap] : a2@20 a2@21 a1@22
)",
                         R"(
process a 1
1000-3000 rw-p 0 10 /lib/a.so : a1@30 f1@12
8000-B000 rw-p 0 0 [heap] : a1@40 a1@21 a2@22
)"),
            R"(
a 1 stayed, 5 to 5: +0 -0, moved 3, to private 3 (2 copied), to shared 1
  1000-3000 mapped file stayed, 2 to 2: +0 -0, moved 2, to private 1 (1 copied), to shared 0
  8000-B000 heap stayed, 3 to 3: +0 -0, moved 1, to private 2 (1 copied), to shared 1
heap: 3 to 3 distinct; 3 to 3: +0 -0, moved 1, to private 2 (1 copied), to shared 1
/lib/a.so: 2 to 2 distinct; 2 to 2: +0 -0, moved 2, to private 1 (1 copied), to shared 0
)");
}

TEST(SnapshotDiff, ReportsNewAndGoneProcessesWithAllTheirPages) {
  EXPECT_EQ(diff_of_maps("process a 1\n1000-3000 rw-p 0 0 [heap] : a1 a1\nkernel k 9\n",
                         "process b 2\n1000-2000 r-xp 0 7 /lib/a.so : f1\nkernel j 8\n"),
            R"(
b 2 new, 0 to 1: +1 -0
  1000-2000 library text new, 0 to 1: +1 -0
a 1 gone, 2 to 0: +0 -2
  1000-3000 heap gone, 2 to 0: +0 -2
heap: 2 to 0 distinct; 2 to 0: +0 -2
/lib/a.so: 0 to 1 distinct; 0 to 1: +1 -0
)");
}

TEST(SnapshotDiff, IdentifiesProcessByPidAndStartTime) {
  const std::string maps = "process a 1\n1000-2000 rw-p 0 0 [heap] : a1@10\n";
  // The fields tgid and start: another process has the same id.
  EXPECT_EQ(
      diff_of(maps_snapshot(maps), with(maps_snapshot(maps), ", 1, 0, 0, 0\n", ", 1, 77, 0, 0\n")),
      R"(
a 1 new, 0 to 1: +1 -0
  1000-2000 heap new, 0 to 1: +1 -0
a 1 gone, 1 to 0: +0 -1
  1000-2000 heap gone, 1 to 0: +0 -1
heap: 1 to 1 distinct; 1 to 1: +1 -1
)");
}

TEST(SnapshotDiff, TreatsAreasOfAnotherProgramAsNew) {
  EXPECT_EQ(
      diff_of_maps(
          "process sh 1\n1000-2000 r-xpX 0 7 /bin/sh : f1@1\n5000-6000 rw-p 0 0 [heap] : a1@2\n",
          "process cat 1\n1000-2000 r-xpX 0 8 /bin/cat : f1@3\n5000-6000 rw-p 0 0 [heap] : a1@2\n"),
      R"(
cat 1 exec, 2 to 2: +2 -2
  1000-2000 application text gone, 1 to 0: +0 -1
  5000-6000 heap gone, 1 to 0: +0 -1
  1000-2000 application text new, 0 to 1: +1 -0
  5000-6000 heap new, 0 to 1: +1 -0
heap: 1 to 1 distinct; 1 to 1: +1 -1
/bin/sh: 1 to 0 distinct; 1 to 0: +0 -1
/bin/cat: 0 to 1 distinct; 0 to 1: +1 -0
)");
}

TEST(SnapshotDiff, ExcludesPagesThatRssExcludes) {
  EXPECT_EQ(
      diff_of_maps(
          "process a 1\n1000-4000 rw-p 0 0 [heap] : z a1@5 s\n8000-9000 r--p 0 0 [vvar] : f0@9\n",
          "process a 1\n1000-4000 rw-p 0 0 [heap] : a1@4 s s\n8000-9000 r--p 0 0 [vvar] : f0@8\n"),
      R"(
a 1 stayed, 1 to 1: +1 -1, swapped 1 to 2
  1000-4000 heap stayed, 1 to 1: +1 -1, swapped 1 to 2
  8000-9000 special stayed, 0 to 0: +0 -0
heap: 1 to 1 distinct; 1 to 1: +1 -1, swapped 1 to 2
special: 0 to 0 distinct; 0 to 0: +0 -0
)");
}

// SnapshotDiff joins in this order when all areas merge into one. With a chain of groups, this
// would take 7.2e9 steps.
TEST(AreaGroups, JoinsEachAreaToLastWithOneStepPerSearch) {
  constexpr std::size_t kAreas = 60000;
  AreaGroups groups(kAreas + 1);
  for (std::size_t i = 0; i < kAreas; ++i) groups.join(i, kAreas);
  for (std::size_t i = 0; i < kAreas; ++i) ASSERT_EQ(groups.find(i), groups.find(kAreas));
  EXPECT_LE(groups.steps(), 4 * kAreas) << "four searches per area: two to join, two to compare";
}

TEST(SnapshotDiff, ReportsManyMergedAreasAsOne) {
  constexpr std::uint64_t kAreas = 60000;
  std::string before = "process a 1\n";
  for (std::uint64_t i = 0; i < kAreas; ++i)
    before += fmt::format("{:x}-{:x} {} 0 0 - :\n", (i + 1) << 12, (i + 2) << 12,
                          i % 2 == 0 ? "rw-p" : "r--p");
  const std::string after =
      fmt::format("process a 1\n1000-{:x} rw-p 0 0 - : a1\n", (kAreas + 1) << 12);
  SnapshotDiff diff;
  fold(maps_snapshot(before), {&diff});
  const std::string second = maps_snapshot(after);
  fold(second, {&diff});
  ASSERT_EQ(diff.areas().size(), 1u);
  EXPECT_EQ(text(diff.areas()[0].change), "0 to 1: +1 -0");
  EXPECT_EQ(diff.areas()[0].last, ((kAreas + 1) << 12) - 1);
}

TEST(SnapshotDiff, ComparesCountsIfPageListsAreIncomplete) {
  // Version 1 identifies a process by its name. The `...` of figure 1 stands for omitted pages.
  const auto v1 = [](int pages) {
    return fmt::format(
        "T: init , 1, c018c0a0, 0, 1, 2, 3, 4, 5, 6\nV: 00001000, 0000AFFF, 0000A000, 0000A000, "
        "00000412, 00000077, NULL\nP: {}, 0, 0, {}, 0\nM: 00001000=00005000, 1, 000420CC |\n...\n",
        pages, pages);
  };
  EXPECT_EQ(diff_of(v1(4), v1(6)), R"(
init 1 stayed, 4 to 6: +2 -0, by counts
  1000-B000 heap stayed, 4 to 6: +2 -0, by counts
heap: 1 to 1 distinct; 4 to 6: +2 -0, by counts
)");
}

TEST(SnapshotDiff, LeavesOutProcessesThatWereReadInOnlyOneSnapshot) {
  const std::string both = "process b 2\n1000-3000 rw-p 0 0 [heap] : a1 a1\n";
  const std::string read = "process a 1\n1000-4000 rw-p 0 0 [heap] : a1 a1 s\n";
  const std::string unread = "process a 1\n";
  const std::string expected = R"(
b 2 stayed, 2 to 2: +0 -0
  1000-3000 heap stayed, 2 to 2: +0 -0
heap: 2 to 2 distinct; 2 to 2: +0 -0
)";
  EXPECT_EQ(diff_of_maps(unread + both, both + unread), expected);
  for (const auto& [before, after] :
       {std::pair(both + read, both + unread), std::pair(both + unread, both + read)}) {
    EXPECT_EQ(diff_of_maps(before, after), expected);
    SnapshotDiff diff;
    fold(maps_snapshot(before), {&diff});
    fold(maps_snapshot(after), {&diff});
    EXPECT_EQ(diff.half_read(), 1u);
    EXPECT_FALSE(diff.knows_distinct());
    EXPECT_EQ(diff.in_swap(), std::pair(std::uint64_t{0}, std::uint64_t{0}));
  }
}

TEST(PageSet, FindsPagesInAnyOrder) {
  PageSet set;
  for (const std::uint64_t number : {5, 6, 7, 20, 21, 100})
    set.add(number, {number * 2, number == 6});
  for (const std::uint64_t number : {100, 5, 21, 6, 20, 7}) {
    ASSERT_TRUE(set.find(number)) << number;
    EXPECT_EQ(set.find(number)->frame, number * 2);
    EXPECT_EQ(set.find(number)->is_private, number == 6);
  }
  for (const std::uint64_t number : {0, 4, 8, 19, 22, 99, 101})
    EXPECT_FALSE(set.find(number)) << number;
}

TEST(PageSet, ShrinksByRemovingLastPages) {
  PageSet set;
  for (const std::uint64_t number : {5, 6, 7, 20}) set.add(number, {});
  set.shrink(2);
  EXPECT_TRUE(set.find(6));
  EXPECT_FALSE(set.find(7));
  EXPECT_FALSE(set.find(20));
  set.add(7, {});
  EXPECT_TRUE(set.find(7));
}

}  // namespace
}  // namespace physmem
