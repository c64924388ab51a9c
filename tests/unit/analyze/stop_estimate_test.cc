// SPDX-License-Identifier: MIT
// What becomes free if processes end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/stop_estimate.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

std::string task(int pid, const std::string& name) {
  const std::string id = std::to_string(pid);
  return "T: " + name + ", " + id + ", 0000000" + id + ", 0, 0, 0, 0, 0, 0, 0, " + id +
         ", 100, 1, 0, 0, 0, 0, 0, /\n";
}

/// An area of anonymous memory with one page.
std::string page(const std::string& frame, int count, const std::string& flags = "00005868") {
  const bool is_single = count == 1;
  return "V: 00500000, 00500FFF, 00001000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, "
         "0\nP: 1, 0, 0, " +
         std::string(is_single ? "1, 0" : "0, 1") + ", 0\nM: 00500000=" + frame + ", " +
         std::to_string(count) + ", " + flags + " |\n";
}

std::string snapshot(const std::string& records, int tasks) {
  const std::string n = std::to_string(tasks);
  return std::string(kHeaderLine) + records + "E: " + n + ", " + n + ", " + n + ", 0, 0\n";
}

StopEstimate estimate_of(const std::string& text) {
  StopEstimate estimate({.names = {*NamePattern::parse("a")}});
  fold(text, {&estimate});
  return estimate;
}

TEST(StopEstimate, FramesOfTheSetAreItsOwn) {
  const StopEstimate estimate =
      estimate_of(snapshot(task(1, "a") + page("00005000", 2) + task(2, "a") + page("00005000", 2) +
                               task(3, "b") + page("00006000", 1),
                           3));
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).own, 1U);
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).shared, 0U);
  EXPECT_EQ(estimate.processes(), 2U);
  EXPECT_TRUE(estimate.keepers().empty());
}

TEST(StopEstimate, KeepersAreCommandsWithTheSameFrames) {
  const StopEstimate estimate = estimate_of(
      snapshot(task(1, "b") + page("00005000", 4) + task(2, "a") + page("00005000", 4) +
                   task(3, "b") + page("00005000", 4) + task(4, "c") + page("00005000", 4),
               4));
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).own, 0U);
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).shared, 1U);
  ASSERT_EQ(estimate.keepers().size(), 2U);
  EXPECT_EQ(estimate.keepers()[0].name, "b");
  EXPECT_EQ(estimate.keepers()[0].processes, 2U);
  EXPECT_EQ(estimate.keepers()[0].frames, 1U);
  EXPECT_EQ(estimate.keepers()[1].name, "c");
}

/// The kernel counts a third mapping.
TEST(StopEstimate, ProcessesOutsideOfTheSnapshotKeepFrames) {
  const StopEstimate estimate = estimate_of(
      snapshot(task(1, "a") + page("00005000", 3) + task(2, "a") + page("00005000", 3), 2));
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).own, 0U);
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).elsewhere, 1U);
}

TEST(StopEstimate, HugetlbIsNotFreeMemoryAndTheZeroPageIsNoMemory) {
  const StopEstimate estimate =
      estimate_of(snapshot(task(1, "a") + page("00005000", 1, "00021028") + task(2, "a") +
                               page("00006000", 1, "01000000"),
                           2));
  EXPECT_EQ(estimate.frames(MappedKind::kHugetlb).own, 1U);
  EXPECT_EQ(estimate.frames(MappedKind::kAnonymous).own, 0U);
}

TEST(StopEstimate, StacksAreKnownIfAllTasksAre) {
  const std::string stacks = "G: mem.KernelStack_kB=34\n";  // 17 for each: rounded down to 16
  EXPECT_EQ(estimate_of(snapshot(stacks + task(1, "a") + page("00005000", 1) + task(2, "b") +
                                     page("00006000", 1),
                                 2))
                .stack_kib(),
            16U);
  EXPECT_FALSE(estimate_of(snapshot(stacks + task(1, "a") + page("00005000", 1), 1)).stack_kib());
}

TEST(StopEstimate, NothingIsKnownOfMeanCounts) {
  const std::string text = snapshot(task(1, "a") + page("00005000", 1), 1);
  EXPECT_TRUE(estimate_of(text).is_known());
  EXPECT_FALSE(estimate_of(with(text, "count=mapcount", "count=average")).is_known());
}

}  // namespace
}  // namespace physmem
