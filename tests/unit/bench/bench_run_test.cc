// SPDX-License-Identifier: MIT
#include "tests/bench/report/bench_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace physmem::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Result<BenchRun> read(const std::string& text) {
  std::istringstream in(text);
  return read_bench_run(in, "run.tsv");
}

std::string error_of(const std::string& text) {
  const auto run = read(text);
  return run ? "" : run.error().text;
}

constexpr const char* kGoal = "goal\tspeed\t1\t<=\t2\tx\n";

TEST(BenchRun, ReadsMachineGoalsNotesAndCharts) {
  const auto run = read(
      "machine\tCPU\tZ80, 1 CPU\n"
      "goal\tspeed to wc\t1.25\t<=\t1.5\tx\n"
      "\n"
      "goal\tthreads\t1.25\t>=\t1.6\tx\tbusy: load 5\n"
      "goal\tcollector\t-\t>=\t-\t\tneeds root\n"
      "note\tone\n"
      "chart\tcost\tCost\tpages\tseconds\tlog-log\n"
      "point\tcost\twc\t1\t0.5\n"
      "point\tcost\tours\t1\t1e-3\n"
      "point\tcost\twc\t4\t2\n");
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_THAT(run->machine, ElementsAre(Pair("CPU", "Z80, 1 CPU")));
  EXPECT_THAT(run->notes, ElementsAre("one"));
  ASSERT_EQ(run->goals.size(), 3U);
  EXPECT_EQ(run->goals[0].name, "speed to wc");
  EXPECT_EQ(run->goals[0].measured, 1.25);
  EXPECT_EQ(run->goals[0].bound, 1.5);
  EXPECT_FALSE(run->goals[0].is_least);
  EXPECT_EQ(run->goals[1].note, "busy: load 5");
  EXPECT_TRUE(run->goals[1].is_least);
  EXPECT_FALSE(run->goals[2].measured);
  EXPECT_FALSE(run->goals[2].bound);
  ASSERT_EQ(run->charts.size(), 1U);
  EXPECT_TRUE(run->charts[0].has_logarithmic_x);
  EXPECT_TRUE(run->charts[0].has_logarithmic_y);
  ASSERT_EQ(run->charts[0].points.size(), 3U);
  EXPECT_EQ(run->charts[0].points[1].line, "ours");
  EXPECT_EQ(run->charts[0].points[1].y, 0.001);
}

TEST(BenchRun, JudgesByComparisonAndAcceptsExactBound) {
  const auto verdict = [](double measured, bool is_least, double bound) {
    return Goal{.name = "a", .measured = measured, .is_least = is_least, .bound = bound}.verdict();
  };
  EXPECT_EQ(verdict(1.5, false, 1.5), Verdict::kMet);
  EXPECT_EQ(verdict(1.51, false, 1.5), Verdict::kMissed);
  EXPECT_EQ(verdict(0, false, 1.5), Verdict::kMet);
  EXPECT_EQ(verdict(1.6, true, 1.6), Verdict::kMet);
  EXPECT_EQ(verdict(1.59, true, 1.6), Verdict::kMissed);
  EXPECT_EQ((Goal{.name = "a", .bound = 1.6}.verdict()), Verdict::kNotMeasured);
}

TEST(BenchRun, RejectsMalformedLinesWithPosition) {
  const std::string good = kGoal;
  EXPECT_THAT(error_of(""), HasSubstr("run.tsv: found no goal"));
  EXPECT_THAT(error_of("note\tone\n"), HasSubstr("found no goal"));
  EXPECT_THAT(error_of(good + "gaol\tspeed\t1\t<=\t2\tx\n"),
              HasSubstr("run.tsv:2: found \"gaol\", expected machine"));
  EXPECT_THAT(error_of("goal\tspeed\t1\t<=\t2\n"), HasSubstr("goal: found 5 fields, expected 6"));
  EXPECT_THAT(error_of("goal\t\t1\t<=\t2\tx\n"), HasSubstr("no name"));
  for (const char* number : {"", "1,5", "1x", "x", "nan", "inf", "0x1", " 1"})
    EXPECT_THAT(error_of("goal\tspeed\t" + std::string(number) + "\t<=\t2\tx\n"),
                HasSubstr("measured: found \"" + std::string(number) + "\", expected a number"));
  EXPECT_THAT(error_of("goal\tspeed\t1\t<\t2\tx\n"),
              HasSubstr("comparison: found \"<\", expected <= or >="));
  EXPECT_THAT(error_of("goal\tspeed\t1\t<=\t-\tx\n"),
              HasSubstr("goal: found \"-\", expected a number"));
  EXPECT_THAT(error_of("goal\tspeed\t-\t<=\t2\tx\n"), HasSubstr("the reason is missing"));
}

TEST(BenchRun, RejectsPointsWithoutChartOrInDescendingOrder) {
  const std::string chart = std::string(kGoal) + "chart\tcost\tCost\tpages\tseconds\tlinear\n";
  EXPECT_EQ(error_of(chart + "point\tcost\twc\t1\t2\n"), "");
  EXPECT_THAT(error_of(chart + "point\tcosts\twc\t1\t2\n"),
              HasSubstr("run.tsv:3: point: found no chart \"costs\""));
  EXPECT_THAT(error_of(chart + "point\tcost\twc\tone\t2\n"), HasSubstr("x: found \"one\""));
  EXPECT_THAT(error_of(chart + "point\tcost\twc\t1\ttwo\n"), HasSubstr("y: found \"two\""));
  EXPECT_THAT(error_of(chart + "point\tcost\twc\t2\t1\npoint\tcost\twc\t2\t1\n"),
              HasSubstr("found 2 after 2"));
  EXPECT_THAT(error_of(std::string(kGoal) + "chart\t../cost\tCost\tpages\tseconds\tlinear\n"),
              HasSubstr("found \"../cost\", expected small letters"));
  EXPECT_THAT(error_of(std::string(kGoal) + "chart\tcost\tCost\tpages\tseconds\tlog\n"),
              HasSubstr("scale: found \"log\""));
}

}  // namespace
}  // namespace physmem::bench
