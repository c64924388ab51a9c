// SPDX-License-Identifier: MIT
// From a /proc tree to rounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/basic.h"
#include "formats/emit/flags.h"
#include "tests/unit/collector/fixture_tree.h"
#include "top/sample/live_source.h"
#include "top/sample/own_cost.h"
#include "top/sample/replay_source.h"
#include "top/sample/sample_times.h"
#include "top/sample/walk_plan.h"

namespace physmem::top {
namespace {

using collect::FixtureTree;
using collect::kPageSize;
using collect::present;
using testing::ElementsAre;

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::string_view kMaps = "00010000-00014000 rw-p 00000000 00:00 0 \n";

/// Process 7 has a page of its own and two that it shares; process 8 shares one of them.
class SampleTest : public testing::Test {
 protected:
  SampleTest() {
    fixture_.process({.tid = 7, .comm = "seven"}, kMaps);
    fixture_.process({.tid = 8, .comm = "eight", .uid = 0}, kMaps);
    fixture_.process({.tid = 9, .comm = "kthread", .flags = 0x00200000, .vsize = 0});
    page(7, 0, 50, 1);
    page(7, 1, 51, 2);
    page(7, 2, 60, 4);
    page(8, 0, 51, 2);
    fixture_.file("loadavg", "1.52 0.30 0.20 1/100 4711\n");
    auto tree = collect::ProcTree::open(fixture_.root());
    tree_.emplace(std::move(*tree));
  }

  void page(std::uint64_t pid, std::uint64_t index, std::uint64_t pfn, std::uint64_t count) {
    fixture_.page(pid, 0x10000 + index * kPageSize, present(pfn));
    fixture_.frame(pfn, count, PM_PAGE_ANON);
  }
  void status(std::uint64_t pid, std::uint64_t swap_kb) {
    fixture_.file(
        std::to_string(pid) + "/status",
        fmt::format("Name:\tx\nTgid:\t{}\nUid:\t0\t0\t0\t0\nVmSwap:\t{} kB\n", pid, swap_kb));
  }

  static collect::Machine machine() {
    collect::Machine machine;
    machine.arch = "x86_64";
    machine.kernel = "6.1.0";
    machine.page_size = kPageSize;
    machine.hz = 100;
    machine.host = "desk";
    return machine;
  }

  FixtureTree fixture_;
  std::optional<collect::ProcTree> tree_;
};

TEST_F(SampleTest, HasUssAndPssOfTheFirstRoundIfItWaitsForThem) {
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  const auto round = source.next(5, 100 * kNsPerSecond);
  ASSERT_TRUE(round) << round.error().text;
  EXPECT_EQ(round->host, "desk");
  EXPECT_EQ(round->load_centi, 152u);
  ASSERT_EQ(round->processes.size(), 2u) << "without the kernel thread";
  const ProcessState& seven = *round->processes[0];
  EXPECT_EQ(seven.command, "seven");
  EXPECT_EQ(seven.cgroup.text(), "/user.slice");
  EXPECT_EQ(seven.uss, 4u);
  EXPECT_EQ(seven.pss, 7u) << "4 + 4/2 + 4/4";
  EXPECT_EQ(seven.rss, 28u) << "as the kernel counts it, in stat";
  EXPECT_EQ(round->processes[1]->uss, 0u);
  EXPECT_EQ(round->processes[1]->pss, 2u);
  EXPECT_EQ(round->walks->processes, 2u);
  EXPECT_EQ(round->walks->unread, 0u);
}

TEST_F(SampleTest, HasNoUssAboveRssOfAProcessThatGrewAfterItWasScanned) {
  fixture_.process({.tid = 6, .comm = "grows"}, "00010000-00020000 rw-p 00000000 00:00 0 \n");
  for (std::uint64_t i = 0; i < 16; ++i) page(6, i, 100 + i, 1);
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  const auto round = source.next(5, 100 * kNsPerSecond);
  ASSERT_TRUE(round) << round.error().text;
  EXPECT_EQ(round->processes[0]->uss, 64u);
  EXPECT_EQ(round->processes[0]->rss, 64u) << "stat has 28";
}

TEST_F(SampleTest, ReadsACountAgainInALaterRound) {
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  ASSERT_TRUE(source.next(5, 100 * kNsPerSecond));
  PageReader reader(*tree_, kPageSize);
  for (const std::uint64_t count : {2, 1}) {
    fixture_.frame(51, count, PM_PAGE_ANON);
    ASSERT_TRUE(reader.begin());
    Basic basic;
    Census census({&basic});
    ASSERT_EQ(reader.read(8, census), collect::Access::kRead);
    EXPECT_EQ(basic.rows().front().unique, count == 1 ? 1u : 0u);
    reader.end();
  }
}

TEST_F(SampleTest, ReadsACountAgainAfterAWalkThatWasCut) {
  PageReader reader(*tree_, kPageSize);
  std::stop_source stopped;
  stopped.request_stop();
  for (const std::uint64_t count : {2, 1}) {
    fixture_.frame(51, count, PM_PAGE_ANON);
    ASSERT_TRUE(reader.begin());
    Basic basic;
    Census census({&basic});
    ASSERT_EQ(reader.read(8, census), collect::Access::kRead);
    EXPECT_EQ(basic.rows().front().unique, count == 1 ? 1u : 0u);
    Events ignored;
    EXPECT_EQ(reader.read(7, ignored, stopped.get_token()), collect::Access::kFailed);
    reader.end();
  }
}

TEST_F(SampleTest, ReportsThatProcHasNoFrames) {
  fixture_.remove("kpagecount");
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  const auto round = source.next(5, 100 * kNsPerSecond);
  ASSERT_TRUE(round);
  EXPECT_TRUE(round->walks->are_frames_hidden && round->walks->are_frames_missing);
  EXPECT_THAT(source.no_details(), testing::HasSubstr("no kpagecount"));
}

TEST_F(SampleTest, ReportsHiddenFrames) {
  fixture_.remove("kpagecount");
  fixture_.link("kpagecount", "kpagecount");  // ELOOP
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  const auto round = source.next(5, 100 * kNsPerSecond);
  ASSERT_TRUE(round);
  EXPECT_TRUE(round->walks->are_frames_hidden && !round->walks->are_frames_missing);
  EXPECT_FALSE(round->processes[0]->pss);
  EXPECT_EQ(round->processes[0]->rss, 28u);
  EXPECT_THAT(source.no_details(), testing::HasSubstr("root"));
}

TEST_F(SampleTest, ReadsOnlyTheSelectedProcesses) {
  LiveSource source(*tree_, machine(), {.pids = {8}});
  const auto round = source.next(5, 100 * kNsPerSecond);
  ASSERT_TRUE(round);
  ASSERT_EQ(round->processes.size(), 1u);
  EXPECT_EQ(round->processes[0]->pid, 8u);
}

TEST_F(SampleTest, ShowsTheSameInAReplayOfItsRecording) {
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  const auto live = source.next(5, 100 * kNsPerSecond);
  ASSERT_TRUE(live);
  fixture_.file("recording", source.text());
  ReplaySource replay(fixture_.root() + "/recording");
  const auto history = replay.read();
  ASSERT_TRUE(history) << history.error().text;
  ASSERT_EQ(history->size(), 1u);
  const Round& again = history->latest();
  ASSERT_EQ(again.processes.size(), live->processes.size());
  for (std::size_t i = 0; i < again.processes.size(); ++i)
    EXPECT_EQ(*again.processes[i], *live->processes[i]);
  EXPECT_EQ(again.load_centi, live->load_centi);
  EXPECT_THAT(replay.no_details(), testing::HasSubstr("no areas"));
}

TEST_F(SampleTest, HasDetailsOfAProcessThatWereRequested) {
  LiveSource source(*tree_, machine(), {});
  source.request_details(7, 0);
  std::shared_ptr<const Details> details;
  while (!(details = source.details())) std::this_thread::yield();
  EXPECT_EQ(details->pid, 7u);
  EXPECT_EQ(details->command, "seven");
  EXPECT_EQ(details->total.rss, 12u);
  EXPECT_EQ(details->total.pss, 7u);
}

TEST_F(SampleTest, ReadsSwapOnlyWhenItMayHaveChanged) {
  status(7, 40);
  status(8, 0);
  ProcessScan scan(*tree_);
  const auto swap_of_seven = [&](std::uint64_t second, SwapActivity swap) {
    const auto found = scan.scan(second * kNsPerSecond, swap);
    return found ? (**found)[0].swap_kb : std::nullopt;
  };
  EXPECT_EQ(swap_of_seven(100, SwapActivity::kActive), 40u);
  status(7, 80);
  EXPECT_EQ(swap_of_seven(101, SwapActivity::kQuiet), 40u) << "nothing happened";
  EXPECT_EQ(swap_of_seven(102, SwapActivity::kActive), 80u);
  EXPECT_EQ(swap_of_seven(103, SwapActivity::kUnused), 0u);
}

TEST_F(SampleTest, HasProcessesWhoseFirstThreadHasEnded) {
  fixture_.process({.tid = 10, .comm = "ten", .state = 'Z', .vsize = 0, .threads = 2});
  fixture_.file("10/cgroup", "4:memory:/\n");
  fixture_.thread(10, {.tid = 11, .comm = "worker", .uid = 5, .threads = 2}, kMaps);
  fixture_.file("10/task/11/cgroup", "4:memory:/service\n");
  fixture_.file("10/task/11/status", "Name:\tworker\nTgid:\t10\nUid:\t5\t5\t5\t5\nVmSwap:\t8 kB\n");
  fixture_.process({.tid = 12, .comm = "zombie", .state = 'Z', .vsize = 0});
  ProcessScan scan(*tree_);
  const auto found = scan.scan(100 * kNsPerSecond, SwapActivity::kActive);
  ASSERT_TRUE(found);
  ASSERT_EQ((*found)->size(), 3u);
  const ScannedProcess& ten = (**found)[2];
  EXPECT_EQ(ten.pid, 10u);
  EXPECT_EQ(ten.stat.comm, "ten");
  EXPECT_EQ(ten.stat.rss, 7u);
  EXPECT_EQ(ten.cgroup, "/service");
  EXPECT_EQ(ten.uid, 5u);
  EXPECT_EQ(ten.swap_kb, 8u);
}

TEST_F(SampleTest, ForgetsProcessesThatEnded) {
  LiveSource source(*tree_, machine(), {.waits_for_first = true});
  ASSERT_TRUE(source.next(5, 100 * kNsPerSecond));
  std::filesystem::remove_all(fixture_.root() + "/7");
  const auto round = source.next(6, 101 * kNsPerSecond);
  ASSERT_TRUE(round);
  ASSERT_EQ(round->processes.size(), 1u);
  EXPECT_EQ(round->processes[0]->pss, 2u) << "the other keeps what was read";
}

TEST_F(SampleTest, RefusesATreeWithoutMeminfo) {
  fixture_.remove("meminfo");
  LiveSource source(*tree_, machine(), {});
  const auto round = source.next(5, 100 * kNsPerSecond);
  ASSERT_FALSE(round);
  EXPECT_THAT(round.error().text, testing::HasSubstr("not a /proc tree"));
}

TEST(WalkPlan, BeginsWithTheLargestThatWasNeverRead) {
  EXPECT_THAT(plan_walks({{1, 100, 50, 5 * kNsPerSecond}, {2, 10}, {3, 1000}}, kNsPerSecond, {}),
              ElementsAre(3, 2, 1));
}

TEST(WalkPlan, PrefersManyChangesAndLongWaits) {
  EXPECT_THAT(
      plan_walks(
          {{1, 10, 100, kNsPerSecond}, {2, 10, 100, 9 * kNsPerSecond}, {3, 10, 5000, kNsPerSecond}},
          kNsPerSecond, {}),
      ElementsAre(3, 2, 1));
}

TEST(WalkPlan, ReadsUnchangedProcessesAfterHalfAMinute) {
  EXPECT_THAT(
      plan_walks({{1, 10, 0, 29 * kNsPerSecond}, {2, 10, 0, 31 * kNsPerSecond}}, kNsPerSecond, {}),
      ElementsAre(2));
}

TEST(WalkPlan, StopsAtTheBudgetButReadsOneThatIsLargerThanIt) {
  const std::int64_t budget = 1'000'000;  // 1 ms: a large process takes 300 ms
  EXPECT_THAT(plan_walks({{1, 1'000'000}, {2, 10}, {3, 10}}, budget, {}), ElementsAre(1));
  EXPECT_THAT(plan_walks({{1, 100, 9, 9}, {2, 90'000, 8, 9}, {3, 10, 7, 9}}, budget, {}),
              ElementsAre(1, 3));
  EXPECT_THAT(plan_walks({{1, 100}}, 0, {}), ElementsAre());
}

TEST(WalkBudget, KeepsLittleAfterTheStartAndRecoversFromDebt) {
  WalkBudget budget(0.03);
  EXPECT_EQ(budget.left_ns(), std::int64_t{1'000'000'000});
  budget.take_plan(3, 2);
  budget.add_time(kNsPerSecond);
  EXPECT_EQ(budget.left_ns(), std::int64_t{1'000'000'000}) << "a process is still unread";
  budget.take_plan(3, 3);
  budget.take_plan(1, 0);  // of a new process
  budget.add_time(kNsPerSecond);
  EXPECT_EQ(budget.left_ns(), 100'000'000);
  budget.spend(400'000'000);
  budget.add_time(kNsPerSecond);
  EXPECT_EQ(budget.left_ns(), -270'000'000);
  budget.add_time(10 * kNsPerSecond);
  EXPECT_EQ(budget.left_ns(), 30'000'000);
}

TEST(WalkCost, FollowsWhatIsMeasured) {
  WalkCost cost;
  for (int i = 0; i < 50; ++i) cost.add_measurement(0, 10'000, 10'000'000);
  EXPECT_NEAR(static_cast<double>(cost.of(10'000)), 10.1e6, 1e5);
}

TEST(OwnCost, IsTheShareOfTheLastTenSeconds) {
  OwnCost cost;
  cost.add(0, 0);
  EXPECT_FALSE(cost.share());
  for (std::uint64_t second = 1; second <= 20; ++second)
    cost.add(second * kNsPerSecond, second <= 10 ? 0 : (second - 10) * kNsPerSecond / 20);
  EXPECT_DOUBLE_EQ(*cost.share(), 0.05);
}

TEST(SampleTimes, AreOneIntervalApartThoughEachWaitEndsALittleLate) {
  SampleTimes times(0);
  for (std::uint64_t second = 1; second <= 5; ++second) {
    const std::uint64_t now = (second - 1) * kNsPerSecond + 300'000'000;
    ASSERT_EQ(times.next(now, kNsPerSecond), second * kNsPerSecond);
    times.take(second * kNsPerSecond);
  }
  EXPECT_EQ(times.next(7 * kNsPerSecond + 1, kNsPerSecond), 8 * kNsPerSecond) << "two were missed";
}

TEST(SampleTimes, FollowAChangedIntervalAtOnce) {
  const SampleTimes times(0);
  EXPECT_EQ(times.next_changed(2 * kNsPerSecond, 5 * kNsPerSecond), 5 * kNsPerSecond);
  EXPECT_EQ(times.next_changed(2 * kNsPerSecond, kNsPerSecond), 2 * kNsPerSecond)
      << "it is late already";
}

}  // namespace
}  // namespace physmem::top
