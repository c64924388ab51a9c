// SPDX-License-Identifier: MIT
// Control groups, processes and free blocks against what the kernel counts for each.
#include "analyzer/analyze/verification.h"

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
  return verdict_of(ram(counts + std::string(kGroups)), "control groups");
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

// 64 pages are the kernel's batch on one processor.
TEST(Groups, DifferBeyondTheBatches) {
  EXPECT_EQ(groups_of(group_counts(65, 2, 1, 65)).kind, Kind::kAgrees);
  const RamVerdict verdict = groups_of(group_counts(66, 2, 1, 66));
  EXPECT_EQ(verdict.kind, Kind::kDiffers);
  EXPECT_EQ(verdict.members_of(Kind::kDiffers), 1u);
  const std::string processors = "G: ram.processors=2\n";
  EXPECT_EQ(groups_of(processors + group_counts(66, 2, 1, 66)).kind, Kind::kAgrees);
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
  EXPECT_EQ(verdict_of(ram(counts + deleted), "control groups").kind, Kind::kUnknowable);
  const std::string none = with(deleted, "/a/b/old", "/a/old");
  EXPECT_EQ(verdict_of(ram(counts + none), "control groups").kind, Kind::kDiffers);
}

TEST(Groups, SurviveACircleOfParents) {
  const std::string circle = "G: cgroup.10.parent=11, cgroup.11.parent=10\n";
  EXPECT_EQ(groups_of(circle).kind, Kind::kUnknowable);
}

/// The kernel's counts of the sample's process: 3 pages, two of them with another mapping that the
/// snapshot does not have, so its share of our own is 3 pages.
std::string process_counts(const char* rss, const char* pss, const char* faults) {
  const std::string front = "process.371.";
  const auto counts = [&](const char* when, const char* name, const char* value) {
    return ", " + front + when + "." + name + "=" + value;
  };
  return "G: x=1" + counts("before", "rss_kB", "12") + counts("before", "pss_kB", "12") +
         counts("before", "faults", "93") + counts("after", "rss_kB", rss) +
         counts("after", "pss_kB", pss) + counts("after", "faults", faults) + "\n";
}

std::string process(const std::string& counts) {
  return with(kSample, "G: at.uptime_ns", counts + "G: at.uptime_ns");
}

/// The frames have one mapping by the kernel's count, too.
std::string settled(std::string text) {
  text = with(text, "=1A2B3000, 2,", "=1A2B3000, 1,");
  text = with(text, "=1A2B4000, 2,", "=1A2B4000, 1,");
  return with(text, "P: 2, 0, 2, 0, 2, 0", "P: 2, 0, 2, 2, 0, 0");
}

TEST(Processes, AgreeWithRss) {
  const std::string text = process(process_counts("12", "12", "93"));
  EXPECT_EQ(verdict_of(text, "processes, resident").kind, Kind::kAgrees);
  EXPECT_THAT(texts(verdict_of(text, "processes, resident")), ElementsAre("cat 371 12 12"));
}

TEST(Processes, DifferIfTheyStoodStill) {
  const auto with_rss = [](std::string counts, const char* after) {
    return verdict_of(process(with(std::move(counts), "before.rss_kB=12", after)),
                      "processes, resident");
  };
  EXPECT_EQ(with_rss(process_counts("16", "12", "93"), "before.rss_kB=16").kind, Kind::kDiffers);
  EXPECT_EQ(with_rss(process_counts("16", "12", "94"), "before.rss_kB=16").kind, Kind::kUnknowable);
  EXPECT_EQ(with_rss(process_counts("16", "12", "94"), "before.rss_kB=8").kind, Kind::kMoved);
}

// Pss counts mappings of other processes at another time than we do.
TEST(Processes, DifferInTheirShareOnlyIfAllMappingsAreKnown) {
  const auto with_pss = [](std::string text) {
    return verdict_of(with(std::move(text), "before.pss_kB=12", "before.pss_kB=8"),
                      "processes, proportional");
  };
  const std::string text = process(process_counts("12", "8", "93"));
  EXPECT_EQ(with_pss(text).kind, Kind::kUnknowable);
  EXPECT_EQ(with_pss(settled(text)).kind, Kind::kDiffers);
  EXPECT_EQ(
      verdict_of(settled(process(process_counts("12", "12", "93"))), "processes, proportional")
          .kind,
      Kind::kAgrees);
}

// Its lines V: and M: are hidden.
TEST(Processes, DifferIfTheyHaveNoAreas) {
  std::string text = process(process_counts("12", "12", "93"));
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

TEST(Processes, AreNotJudgedByTheirShareWithoutPages) {
  const std::string text = with(settled(process(process_counts("12", "99", "93"))),
                                "before.pss_kB=12", "before.pss_kB=99");
  EXPECT_EQ(verdict_of(text, "processes, proportional").kind, Kind::kDiffers);
  const RamVerdict average =
      verdict_of(with(text, "count=mapcount", "count=average"), "processes, proportional");
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
  EXPECT_EQ(verdict_of(ram(counts + std::string(kGroups)), "control groups").kind, Kind::kDiffers);
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
