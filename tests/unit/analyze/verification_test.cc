// SPDX-License-Identifier: MIT
// Cgroups, processes and free blocks against what the kernel counts for each.
#include "analyzer/analyze/verify/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using Kind = VerdictKind;
using testing::ElementsAre;

// /a has 3 pages itself, and 1 of a group below it that was deleted.
constexpr std::string_view kGroups = R"(O: 1, cgroup, 10, online, /a
O: 2, cgroup, 77, dying, /a/old
O: 3, cgroup, 1, online, /
R: 00000000, 1, anon, 0, 1, 00005028, 1, 00000000
R: 00000001, 1, file, 0, 1, 00000028, 0, 00000000
R: 00000002, 1, shmem, 0, 1, 00004028, 0, 00000000
R: 00000003, 1, pgtable, 0, 2, 04000000, 0, 00000000
R: 00000004, 9, anon, 0, 3, 00005028, 1, 00000000
)";

/// cgroup.10.before.anon=1, … Both readings are the same, unless the last of `anon` is given.
std::string group_counts(std::uint64_t anon, std::uint64_t file, std::uint64_t tables,
                         std::uint64_t last_anon) {
  std::string text = "G: cgroup.10.parent=1, cgroup.5.parent=1";
  for (const char* when : {"before", "after"}) {
    const std::string front = std::string(", cgroup.10.") + when + ".";
    text += front + "anon=" + std::to_string(when[0] == 'a' ? last_anon : anon);
    text += front + "file=" + std::to_string(file) + front + "shmem=1";
    text += front + "page_tables=" + std::to_string(tables);
  }
  return text + "\n";
}

std::string ram(const std::string& records) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  return with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kmod,"), kEnd,
              records + std::string(kEnd));
}

RamVerdict verdict_of(const std::string& text, std::string_view claim) {
  Verification verification;
  fold(text, {&verification});
  for (RamVerdict& verdict : verification.verdicts())
    if (verdict.claim == claim) return verdict;
  return {};
}

RamVerdict groups_of(const std::string& counts) {
  return verdict_of(ram(counts + std::string(kGroups)), "cgroups");
}

std::vector<std::string> texts(const RamVerdict& verdict) {
  std::vector<std::string> all;
  for (const WitnessMember& member : verdict.members)
    all.push_back(member.name + " " + std::to_string(member.ours_kib) + " " +
                  std::to_string(member.theirs_kib.after));
  return all;
}

TEST(Groups, AgreeWithTheirGroupsBelow) {
  const RamVerdict verdict = groups_of(group_counts(1, 2, 1, 1));
  EXPECT_EQ(verdict.kind, Kind::kAgrees);
  EXPECT_THAT(texts(verdict),
              ElementsAre("/a: anon 4 4", "/a: file 8 8", "/a: shmem 4 4", "/a: page_tables 4 4"));
}

// 64 pages are the kernel's batch on one CPU.
TEST(Groups, DifferBeyondTheBatches) {
  EXPECT_EQ(groups_of(group_counts(65, 2, 1, 65)).kind, Kind::kAgrees);
  const RamVerdict verdict = groups_of(group_counts(66, 2, 1, 66));
  EXPECT_EQ(verdict.kind, Kind::kDiffers);
  EXPECT_EQ(verdict.members_of(Kind::kDiffers), 1u);
  const std::string cpus = "G: ram.processors=2\n";
  EXPECT_EQ(groups_of(cpus + group_counts(66, 2, 1, 66)).kind, Kind::kAgrees);
}

TEST(Groups, MayDifferByWhatCameAndWent) {
  const std::string churn =
      "G: ram.before.allocated=0, ram.before.freed=0, ram.after.allocated=500, "
      "ram.after.freed=400\n";
  EXPECT_EQ(groups_of(group_counts(600, 2, 1, 400)).kind, Kind::kDiffers);
  EXPECT_EQ(groups_of(churn + group_counts(600, 2, 1, 400)).kind, Kind::kMoved);
  EXPECT_EQ(groups_of(churn + group_counts(600, 2, 1, 600)).kind, Kind::kDiffers);
  EXPECT_EQ(groups_of(churn + group_counts(900, 2, 1, 800)).kind, Kind::kDiffers);
}

std::string with_activity(std::string counts, const char* before, const char* after) {
  return counts + "G: cgroup.10.before.activity=" + before + ", cgroup.10.after.activity=" + after +
         "\n";
}

constexpr std::string_view kChurn =
    "G: ram.before.allocated=0, ram.before.freed=0, ram.after.allocated=500, ram.after.freed=400\n";

// Memory that comes and goes between the two readings changes neither of them.
TEST(Groups, MayDifferByWhatCameAndWentIfTheyRan) {
  const std::string counts = std::string(kChurn) + group_counts(400, 2, 1, 400);
  EXPECT_EQ(groups_of(with_activity(counts, "7", "8")).kind, Kind::kMoved);
  EXPECT_EQ(groups_of(with_activity(counts, "7", "7")).kind, Kind::kDiffers);
  const std::string more = std::string(kChurn) + group_counts(600, 2, 1, 600);
  EXPECT_EQ(groups_of(with_activity(more, "7", "8")).kind, Kind::kDiffers);
}

// A number that moved by itself does not do: pages of a group that sleeps are reclaimed.
TEST(Groups, DifferByWhatCameAndWentIfTheyDidNotRun) {
  const std::string counts = std::string(kChurn) + group_counts(600, 2, 1, 400);
  EXPECT_EQ(groups_of(with_activity(counts, "7", "7")).kind, Kind::kDiffers);
  EXPECT_EQ(groups_of(with_activity(counts, "7", "8")).kind, Kind::kMoved);
}

TEST(Groups, MayDifferByPagesThatTheKernelMoved) {
  const std::string counts = with_activity(group_counts(400, 2, 1, 400), "7", "7");
  const std::string moved = "G: ram.before.migrated=10, ram.after.migrated=400\n";
  EXPECT_EQ(groups_of(counts).kind, Kind::kDiffers);
  EXPECT_EQ(groups_of(moved + counts).kind, Kind::kMoved);
}

TEST(Groups, AreNotComparedWithoutCounts) {
  EXPECT_EQ(groups_of("").claim, "");
}

// The parent of the deleted group pays for nothing, so its path is not known; its memory.stat has
// the pages of the deleted one.
TEST(Groups, CannotBeComparedIfADeletedGroupMayBeBelow) {
  const std::string counts =
      "G: cgroup.10.parent=1, cgroup.11.parent=10\n"
      "G: cgroup.11.before.file=400, cgroup.11.after.file=400\n";
  const std::string deleted =
      "O: 1, cgroup, 10, online, /a\nO: 2, cgroup, 77, dying, /a/b/old\n"
      "R: 00000000, 400, file, 0, 2, 00000028, 0, 00000000\n";
  EXPECT_EQ(verdict_of(ram(counts + deleted), "cgroups").kind, Kind::kUnknowable);
  const std::string none = with(deleted, "/a/b/old", "/a/old");
  EXPECT_EQ(verdict_of(ram(counts + none), "cgroups").kind, Kind::kDiffers);
}

TEST(Groups, SurviveACircleOfParents) {
  const std::string circle = "G: cgroup.10.parent=11, cgroup.11.parent=10\n";
  EXPECT_EQ(groups_of(circle).kind, Kind::kUnknowable);
}

/// The kernel's counts of the sample's process. Two of its 3 pages have another mapping: 8 kB.
struct Counts {
  std::string rss = "12", pss = "8", faults = "93", tasks = "60", newest = "400",
              all_faults = "9000";
};

std::string counts_of(const Counts& before, const Counts& after, const std::string& more = "") {
  const auto reading = [](const std::string& when, const Counts& counts) {
    const std::string front = ", process.371." + when + ".";
    return front + "rss_kB=" + counts.rss + front + "pss_kB=" + counts.pss + front +
           "faults=" + counts.faults + front + "tasks=" + counts.tasks + front +
           "newest=" + counts.newest + front + "all_faults=" + counts.all_faults;
  };
  return "G: x=1" + reading("before", before) + reading("after", after) + more + "\n";
}

std::string process(const std::string& counts) {
  return with(kSample, "G: at.uptime_ns", counts + "G: at.uptime_ns");
}

RamVerdict resident(const std::string& counts) {
  return verdict_of(process(counts), "processes, resident");
}

RamVerdict proportional(const std::string& counts) {
  return verdict_of(process(counts), "processes, proportional");
}

TEST(Processes, AgreeWithRssAndPss) {
  EXPECT_EQ(resident(counts_of({}, {})).kind, Kind::kAgrees);
  EXPECT_THAT(texts(resident(counts_of({}, {}))), ElementsAre("cat 371 12 12"));
  EXPECT_EQ(proportional(counts_of({}, {})).kind, Kind::kAgrees);
  EXPECT_THAT(texts(proportional(counts_of({}, {}))), ElementsAre("cat 371 8 8"));
}

TEST(Processes, DifferIfTheyStoodStill) {
  EXPECT_EQ(resident(counts_of({.rss = "16"}, {.rss = "16"})).kind, Kind::kDiffers);
  EXPECT_EQ(resident(counts_of({.rss = "8"}, {.rss = "8"})).kind, Kind::kDiffers);
  EXPECT_EQ(resident(counts_of({.rss = "16"}, {.rss = "16", .faults = "94"})).kind,
            Kind::kUnknowable);
  EXPECT_EQ(resident(counts_of({.rss = "8"}, {.rss = "16", .faults = "94"})).kind, Kind::kMoved);
}

TEST(Processes, DifferInTheirShareIfNoTaskBeganOrEnded) {
  EXPECT_EQ(proportional(counts_of({.pss = "10"}, {.pss = "10"})).kind, Kind::kDiffers);
  EXPECT_EQ(proportional(counts_of({.pss = "9"}, {.pss = "9"})).kind, Kind::kAgrees);
  EXPECT_EQ(proportional(counts_of({.pss = "10"}, {.pss = "10", .newest = "401"})).kind,
            Kind::kUnknowable);
  EXPECT_EQ(proportional(counts_of({.pss = "10"}, {.pss = "10", .tasks = "59"})).kind,
            Kind::kUnknowable);
  EXPECT_EQ(proportional(counts_of({.pss = "10"}, {.pss = "10", .all_faults = "9001"})).kind,
            Kind::kUnknowable);
  EXPECT_EQ(proportional(counts_of({.pss = "10"}, {.pss = "10", .faults = "94"})).kind,
            Kind::kUnknowable);
  EXPECT_EQ(proportional(counts_of({.pss = "6"}, {.pss = "10"})).kind, Kind::kMoved);
}

// Snapshots before 2.11.4 have each frame's count from any time before.
TEST(Processes, DoNotDifferInTheirShareIfTasksAreNotKnown) {
  std::string counts = counts_of({.pss = "10"}, {.pss = "10"});
  for (const char* const name : {"before.tasks", "after.tasks"}) counts = with(counts, name, "x");
  EXPECT_EQ(proportional(counts).kind, Kind::kUnknowable);
}

// The count in M: is 2 for a page that is mapped once: its share is half a page too little.
TEST(Processes, DifferByAWrongCountOfAPage) {
  const std::string text = with(with(process(counts_of({}, {})), "=2C0F5000, 1,", "=2C0F5000, 2,"),
                                "P: 1, 0, 0, 1, 0, 1", "P: 1, 0, 0, 0, 1, 1");
  EXPECT_EQ(verdict_of(text, "processes, resident").kind, Kind::kAgrees);
  EXPECT_EQ(verdict_of(text, "processes, proportional").kind, Kind::kDiffers);
}

// smaps counts broken pages, which no page table has.
TEST(Processes, AgreeWithoutTheirBrokenPages) {
  const Counts stated{.rss = "24", .pss = "20"};
  const std::string counts = counts_of(stated, stated, ", process.371.poisoned=3");
  EXPECT_EQ(resident(counts).kind, Kind::kAgrees);
  EXPECT_EQ(resident(counts).note, "cat 371 lost 3 pages to memory errors; smaps may count them");
  EXPECT_EQ(proportional(counts).kind, Kind::kAgrees);
  // Before April 2024 smaps did not count them.
  EXPECT_EQ(resident(counts_of({}, {}, ", process.371.poisoned=3")).kind, Kind::kAgrees);
  EXPECT_EQ(resident(counts_of(stated, stated, ", process.371.poisoned=2")).kind, Kind::kDiffers);
  EXPECT_EQ(resident(counts_of(stated, stated, ", process.371.poisoned=4")).kind, Kind::kDiffers);
  EXPECT_EQ(proportional(counts_of(stated, stated, ", process.371.poisoned=2")).kind,
            Kind::kDiffers);
}

// smaps counts a page that is being moved, if it is read before or after the page tables.
TEST(Processes, MoveWithPagesThatTheKernelMoves) {
  const auto found = [](const char* rss) {
    return resident(counts_of({.rss = rss}, {.rss = rss}, ", process.371.migrating=2")).kind;
  };
  EXPECT_EQ(found("12"), Kind::kAgrees);
  EXPECT_EQ(found("16"), Kind::kMoved);
  EXPECT_EQ(found("20"), Kind::kMoved);
  EXPECT_EQ(found("24"), Kind::kDiffers);
  EXPECT_EQ(found("8"), Kind::kDiffers);
  const Counts more{.pss = "16"};
  EXPECT_EQ(proportional(counts_of(more, more, ", process.371.migrating=2")).kind, Kind::kMoved);
}

// There Pss leaves out huge pages.
TEST(Processes, CannotBeComparedWithTheShareOfHugePagesOn32Bit) {
  std::string text = process(counts_of({.pss = "4"}, {.pss = "4"}));
  text = with(text, "=2C0F5000, 1, 00005868", "=2C0F5000, 1, 00405868");
  EXPECT_EQ(verdict_of(text, "processes, proportional").kind, Kind::kDiffers);
  text = with(text, "arch=x86_64", "arch=armv7l");
  const RamVerdict verdict = verdict_of(text, "processes, proportional");
  EXPECT_EQ(verdict.kind, Kind::kUnknowable);
  EXPECT_EQ(verdict.reason, "smaps of a 32-bit kernel leaves huge pages out of Pss");
}

// Its lines V: and M: are hidden.
TEST(Processes, DifferIfTheyHaveNoAreas) {
  std::string text = process(counts_of({}, {}));
  text.erase(text.find("\nV: ") + 1, text.find("\nT: kswapd0") - text.find("\nV: "));
  text = with(text, "E: 2, 2, 3, 1, 0", "E: 2, 0, 0, 0, 0");
  EXPECT_EQ(verdict_of(text, "processes, resident").kind, Kind::kDiffers);
}

TEST(Processes, CannotBeComparedByOneReading) {
  const std::string counts =
      "G: process.371.before.rss_kB=12, process.371.before.pss_kB=12, "
      "process.371.before.faults=9, process.371.before.rss_kB=12\n";
  const RamVerdict verdict = verdict_of(process(counts), "processes, resident");
  EXPECT_EQ(verdict.kind, Kind::kUnknowable);
  EXPECT_EQ(verdict.members.size(), 1u);
}

TEST(Processes, AreNotJudgedByTheirShareWithoutCountsOfMappings) {
  const std::string text =
      with(process(counts_of({.pss = "99"}, {.pss = "99"})), "count=mapcount", "count=average");
  const RamVerdict average = verdict_of(text, "processes, proportional");
  EXPECT_EQ(average.kind, Kind::kUnknowable);
  EXPECT_EQ(average.reason, "counts are not those of mappings");
}

TEST(Verification, SurvivesHugeCounters) {
  const std::string huge = "18446744073709551615";
  const std::string counts = "G: ram.before.cached=" + huge + ", ram.after.cached=" + huge +
                             ", ram.before.buffers=" + huge + ", ram.after.buffers=" + huge +
                             ", ram.processors=" + huge + ", cgroup.10.before.anon=" + huge +
                             ", cgroup.10.after.anon=" + huge + "\n";
  EXPECT_EQ(verdict_of(ram(counts + std::string(kGroups)), "page cache").kind, Kind::kDiffers);
  EXPECT_EQ(verdict_of(ram(counts + std::string(kGroups)), "cgroups").kind, Kind::kDiffers);
}

TEST(Verification, ComparesNothingWithoutRuns) {
  Verification verification;
  fold(ram("G: ram.before.free_in_zones=0, ram.after.free_in_zones=0\n"), {&verification});
  const std::vector<RamVerdict> verdicts = verification.verdicts();
  EXPECT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(count(verdicts, Kind::kUnknowable), 2u);
  for (const RamVerdict& verdict : verdicts) EXPECT_EQ(verdict.reason, "the R: lines are missing");
}

constexpr std::string_view kOrders = R"(R: 00000000, 4, free, 0, 0, 00000400, 0, 00000000
R: 00000004, 64, free, 0, 0, 00000400, 0, 00000001
)";

std::string orders(const char* first_before, const char* first_after, const char* second) {
  return std::string("G: ram.before.free_order.0=") + first_before +
         ", ram.before.free_order.1=" + second + ", ram.after.free_order.0=" + first_after +
         ", ram.after.free_order.1=" + second + "\n" + std::string(kOrders);
}

TEST(FreeBlocks, AgreeByOrder) {
  const RamVerdict verdict = verdict_of(ram(orders("4", "4", "64")), "free blocks by order");
  EXPECT_EQ(verdict.kind, Kind::kAgrees);
  EXPECT_THAT(texts(verdict), ElementsAre("order 0 16 16", "order 1 256 256"));
}

// The sum of both orders is right.
TEST(FreeBlocks, DifferByOrder) {
  const RamVerdict verdict = verdict_of(ram(orders("20", "20", "48")), "free blocks by order");
  EXPECT_EQ(verdict.kind, Kind::kDiffers);
  EXPECT_EQ(verdict.members_of(Kind::kDiffers), 2u);
}

TEST(FreeBlocks, CannotBeComparedWhileBlocksAreSplit) {
  const RamVerdict verdict = verdict_of(ram(orders("40", "30", "64")), "free blocks by order");
  EXPECT_EQ(verdict.members_of(Kind::kUnknowable), 1u);
  EXPECT_EQ(verdict.kind, Kind::kAgrees);
}

TEST(FreeBlocks, CannotBeComparedWithoutTheirOrder) {
  const std::string text =
      with(ram(orders("4", "4", "64")), "00000400, 0, 00000000", "00000400, 0, 0000003F");
  EXPECT_EQ(verdict_of(text, "free blocks by order").kind, Kind::kUnknowable);
}

}  // namespace
}  // namespace physmem
