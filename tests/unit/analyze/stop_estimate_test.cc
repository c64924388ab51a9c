// SPDX-License-Identifier: MIT
// What becomes free if processes end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/stop_choice.h"
#include "analyzer/analyze/process/stop_estimate.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// An area of anonymous memory with one page; `place`: a digit of its address.
std::string page(const std::string& frame, int count, const std::string& flags = "00005868",
                 int place = 0) {
  const bool is_single = count == 1;
  const std::string begin = "0050" + std::to_string(place);
  return "V: " + begin + "000, " + begin + "FFF, 00001000, 00001000, 00000000, 00000003, NULL, " +
         "00000000, 00:00, 0\nP: 1, 0, 0, " + (is_single ? "1, 0" : "0, 1") + ", 0\nM: " + begin +
         "000=" + frame + ", " + std::to_string(count) + ", " + flags + " |\n";
}

StopEstimate estimate_of(const std::string& text) {
  StopEstimate estimate({.names = {*NamePattern::parse("a")}});
  fold(text, {&estimate});
  return estimate;
}

TEST(StopEstimate, FramesOfTheSetAreItsOwn) {
  const StopEstimate estimate =
      estimate_of(whole_snapshot(task_record(1, "a") + page("00005000", 2) + task_record(2, "a") +
                                 page("00005000", 2) + task_record(3, "b") + page("00006000", 1)));
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).own, 1U);
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).shared, 0U);
  EXPECT_EQ(estimate.set().processes, 2U);
  EXPECT_TRUE(estimate.set().keepers.empty());
}

TEST(StopEstimate, KeepersAreCommandsWithTheSameFrames) {
  const StopEstimate estimate = estimate_of(whole_snapshot(
      task_record(1, "b") + page("00005000", 4) + task_record(2, "a") + page("00005000", 4) +
      task_record(3, "b") + page("00005000", 4) + task_record(4, "c") + page("00005000", 4)));
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).own, 0U);
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).shared, 1U);
  ASSERT_EQ(estimate.set().keepers.size(), 2U);
  EXPECT_EQ(estimate.set().keepers[0].name, "b");
  EXPECT_EQ(estimate.set().keepers[0].processes, 2U);
  EXPECT_EQ(estimate.set().keepers[0].frames, 1U);
  EXPECT_EQ(estimate.set().keepers[1].name, "c");
}

/// The kernel counts a third mapping.
TEST(StopEstimate, ProcessesOutsideOfTheSnapshotKeepFrames) {
  const StopEstimate estimate = estimate_of(whole_snapshot(
      task_record(1, "a") + page("00005000", 3) + task_record(2, "a") + page("00005000", 3)));
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).own, 0U);
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).elsewhere, 1U);
}

TEST(StopEstimate, HugetlbIsNotFreeMemoryAndTheZeroPageIsNoMemory) {
  const StopEstimate estimate =
      estimate_of(whole_snapshot(task_record(1, "a") + page("00005000", 1, "00021028") +
                                 task_record(2, "a") + page("00006000", 1, "01000000")));
  EXPECT_EQ(estimate.set().frames(MappedKind::kHugetlb).own, 1U);
  EXPECT_EQ(estimate.set().frames(MappedKind::kAnonymous).own, 0U);
}

TEST(StopEstimate, StacksAreKnownIfAllTasksAre) {
  const std::string stacks = "G: mem.KernelStack_kB=34\n";  // 17 for each: rounded down to 16
  EXPECT_EQ(estimate_of(whole_snapshot(stacks + task_record(1, "a") + page("00005000", 1) +
                                       task_record(2, "b") + page("00006000", 1)))
                .set()
                .stacks,
            4U);
  EXPECT_FALSE(
      estimate_of(whole_snapshot(stacks + task_record(1, "a") + page("00005000", 1))).set().stacks);
}

StopEstimate groups_of(const std::string& text, UseGrouping grouping) {
  StopEstimate estimate({}, grouping);
  fold(text, {&estimate});
  return estimate;
}

/// What a and b have in common becomes free if both end.
TEST(StopEstimate, ASetOfGroupsHasWhatTheyShare) {
  const StopEstimate estimate =
      groups_of(whole_snapshot(task_record(3, "a") + page("00005000", 2) + task_record(4, "a") +
                               page("00006000", 1) + task_record(5, "b") + page("00005000", 2)),
                UseGrouping::kName);
  ASSERT_EQ(estimate.sets().size(), 2U);
  const std::uint32_t a = estimate.groups().numbers().at({"a", 0});
  const std::uint32_t b = estimate.groups().numbers().at({"b", 0});
  EXPECT_EQ(estimate.sets()[a].processes, 2U);
  EXPECT_EQ(estimate.sets()[a].frames(MappedKind::kAnonymous).own, 1U);
  EXPECT_EQ(estimate.sets()[a].frames(MappedKind::kAnonymous).shared, 1U);
  EXPECT_EQ(estimate.sets()[b].frames(MappedKind::kAnonymous).own, 0U);
  const StopSet both = estimate.union_of({a, b});
  EXPECT_EQ(both.frames(MappedKind::kAnonymous).own, 2U);
  EXPECT_EQ(both.processes, 3U);
}

TEST(StopEstimate, Process1IsInNoGroup) {
  const StopEstimate estimate =
      groups_of(whole_snapshot(task_record(1, "init") + page("00005000", 1) + task_record(3, "a") +
                               page("00006000", 1)),
                UseGrouping::kProcess);
  ASSERT_EQ(estimate.sets().size(), 1U);
  EXPECT_EQ(estimate.sets().front().command, "a");
}

/// Processes a, b, c that free 1, 2 and 4 pages.
StopEstimate three() {
  std::string records;
  int frame = 0;
  for (const auto& [name, pages] : {std::pair{"a", 1}, std::pair{"b", 2}, std::pair{"c", 4}}) {
    records += task_record(pages + 2, name);
    for (int i = 0; i < pages; ++i)
      records += page("000" + std::to_string(50 + frame++) + "000", 1, "00005868", i);
  }
  return groups_of(whole_snapshot(records), UseGrouping::kName);
}

std::vector<std::string> chosen(const StopEstimate& estimate, std::uint64_t need) {
  std::vector<std::string> names;
  for (const std::uint32_t set : choose_sets(estimate, need).sets)
    names.push_back(estimate.sets()[set].command);
  return names;
}

TEST(StopChoice, IsTheSmallestSetThatIsEnough) {
  const StopEstimate estimate = three();
  EXPECT_THAT(chosen(estimate, 1), testing::ElementsAre("a"));
  EXPECT_THAT(chosen(estimate, 2), testing::ElementsAre("b"));
  EXPECT_THAT(chosen(estimate, 3), testing::ElementsAre("c"));
}

TEST(StopChoice, IsTheFewestLargeSetsThatAreEnough) {
  const StopEstimate estimate = three();
  EXPECT_THAT(chosen(estimate, 5), testing::ElementsAre("c", "b"));
  EXPECT_EQ(choose_sets(estimate, 5).all.free(), 6U);
}

/// Each of both has one page alone.
TEST(StopChoice, CountsWhatTheSetsShare) {
  std::string records;
  for (const int pid : {3, 4})
    records += task_record(pid, "a") + page("00005000", 2) +
               page("0006" + std::to_string(pid) + "000", 1, "00005868", 1);
  const StopEstimate estimate = groups_of(
      whole_snapshot(records + task_record(5, "b") + page("00007000", 1)), UseGrouping::kProcess);
  const StopChoice choice = choose_sets(estimate, 3);
  EXPECT_EQ(choice.sets.size(), 2U);
  EXPECT_EQ(choice.all.free(), 3U);
}

TEST(StopChoice, IsAllIfThatIsNotEnough) {
  const StopEstimate estimate = three();
  EXPECT_THAT(chosen(estimate, 8), testing::ElementsAre("c", "b", "a"));
  EXPECT_EQ(choose_sets(estimate, 8).all.free(), 7U);
}

TEST(StopEstimate, NothingIsKnownOfMeanCounts) {
  const std::string text = whole_snapshot(task_record(1, "a") + page("00005000", 1));
  EXPECT_TRUE(estimate_of(text).is_known());
  EXPECT_FALSE(estimate_of(with(text, "count=mapcount", "count=average")).is_known());
}

}  // namespace
}  // namespace physmem
