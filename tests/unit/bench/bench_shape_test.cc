// SPDX-License-Identifier: MIT
#include "tests/bench/report/bench_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analyzer/report/table_writer.h"
#include "tests/bench/report/markdown_table_writer.h"

namespace physmem::bench {
namespace {

using testing::ElementsAre;
using testing::Pair;

BenchRun sample_run() {
  BenchRun run;
  run.machine = {{"CPU", "Z80"}, {"date", "2026-11-22"}, {"load", "0"}};
  run.goals = {{.name = "CPU to wc", .measured = 1.25, .bound = 1.5, .unit = "x"},
               {.name = "threads",
                .measured = 1.2,
                .is_least = true,
                .bound = 1.6,
                .unit = "x",
                .note = "busy"},
               {.name = "collector | all", .is_least = true, .note = "needs root"}};
  run.notes = {"a note"};
  return run;
}

TEST(BenchShape, PrintsTableOfGoals) {
  std::ostringstream out;
  text_table_writer(out)->write(goals_table(sample_run()));
  EXPECT_EQ(out.str(),
            "CPU: Z80; date: 2026-11-22; load: 0\n"
            "What             Measured     Goal  Unit  Met           Remark\n"
            "CPU to wc            1.25  ≤  1.50  x     yes\n"
            "threads              1.20  ≥  1.60  x     NO            busy\n"
            "collector | all         -        -        not measured  needs root\n"
            "a note\n"
            "1 of 3 goals met, 1 missed, 1 not measured\n");
}

TEST(BenchShape, PrintsTableOfGoalsInMarkdown) {
  std::ostringstream out;
  markdown_table_writer(out)->write(goals_table(sample_run()));
  EXPECT_EQ(out.str(),
            "CPU: Z80; date: 2026-11-22; load: 0\n\n"
            "| What | Measured |  | Goal | Unit | Met | Remark |\n"
            "|---|---:|---|---:|---|---|---|\n"
            "| CPU to wc | 1.25 | ≤ | 1.50 | x | yes | |\n"
            "| threads | 1.20 | ≥ | 1.60 | x | NO | busy |\n"
            "| collector \\| all | | | | | not measured | needs root |\n"
            "\n"
            "- a note\n"
            "- 1 of 3 goals met, 1 missed, 1 not measured\n");
}

TEST(BenchShape, DrawsOneLinePerMeasuredProgram) {
  Chart chart{
      "cost", "Cost", "pages", "seconds", true, true, {{"wc", 1, 2}, {"ours", 1, 3}, {"wc", 4, 8}}};
  const Series series = chart_series(chart, sample_run());
  EXPECT_EQ(series.title, "Cost");
  EXPECT_EQ(series.subtitle, "Z80; 2026-11-22") << "the first two of three";
  EXPECT_EQ(series.x_title, "pages");
  EXPECT_TRUE(series.has_logarithmic_x);
  ASSERT_EQ(series.panels.size(), 1U);
  EXPECT_EQ(series.panels[0].title, "seconds");
  EXPECT_TRUE(series.panels[0].is_logarithmic);
  ASSERT_EQ(series.panels[0].lines.size(), 2U);
  EXPECT_EQ(series.panels[0].lines[0].label, "wc");
  EXPECT_THAT(series.panels[0].lines[0].points, ElementsAre(Pair(1, 2), Pair(4, 8)));
  EXPECT_THAT(series.panels[0].lines[1].points, ElementsAre(Pair(1, 3)));
  chart.has_logarithmic_x = false;
  EXPECT_FALSE(chart_series(chart, sample_run()).has_logarithmic_x);
}

}  // namespace
}  // namespace physmem::bench
