// SPDX-License-Identifier: MIT
// The chart and the text of a search for leaks.
#include <gtest/gtest.h>

#include <vector>

#include "analyzer/shape/leaks_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

struct Step {
  int leaking;
  int steady;
};

/// Snapshots of the heaps of two processes, one per second.
LeakSearch search(const std::vector<Step>& steps) {
  LeakSearch search(0);
  int second = 10;
  for (const Step& step : steps) {
    std::string maps;
    for (const auto& [task, n] :
         {std::pair("process a 1", step.leaking), std::pair("process b 2", step.steady)}) {
      maps += fmt::format("{}\n1000-{:x} rw-p 0 0 [heap] :", task, 0x1000 + (n << 12));
      for (int i = 0; i < n; ++i) maps += " a1";
      maps += '\n';
    }
    fold(with(maps_snapshot(maps), "uptime_ns=1,", fmt::format("uptime_ns={}000000000,", second++)),
         {&search});
  }
  return search;
}

Series series_of(const LeakSearch& search) {
  return leaks_series(search, search.rows(), {}, View{});
}

TEST(LeaksSeries, DrawsLeaksWithTheirFittedLine) {
  const Series series = series_of(search({{100, 50}, {200, 50}, {300, 51}}));
  EXPECT_EQ(series.title, "Memory that grows and does not come back");
  EXPECT_EQ(series.x_title, "seconds since the first snapshot");
  ASSERT_EQ(series.panels.size(), 1u);
  const auto& lines = series.panels[0].lines;
  ASSERT_EQ(lines.size(), 2u) << "only the region: its VMA has the same pages, and b does not leak";
  using Points = std::vector<std::pair<double, double>>;
  EXPECT_EQ(lines[0].label, "a (1) heap");
  constexpr double kPages = 256;  // in a MiB
  EXPECT_EQ(lines[0].points, (Points{{0, 100 / kPages}, {1, 200 / kPages}, {2, 300 / kPages}}));
  EXPECT_TRUE(lines[0].has_marks);
  EXPECT_EQ(lines[1].label, lines[0].label) << "one colour and one entry of the legend";
  EXPECT_TRUE(lines[1].is_fit && !lines[0].is_fit);
  EXPECT_EQ(lines[1].points, (Points{{0, 100 / kPages}, {2, 300 / kPages}}));
}

TEST(LeaksSeries, DrawsTheLargestGrowthWithoutLeaks) {
  const Series series = series_of(search({{100, 50}, {102, 50}, {104, 51}}));
  EXPECT_EQ(series.title, "No leaks: the memory that grew most");
  std::vector<std::string> labels;
  for (const auto& line : series.panels.at(0).lines) labels.push_back(line.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"a (1) heap", "b (2) heap"}));
  EXPECT_EQ(series.notes.at(0), "No leaks.");
}

TEST(LeaksText, NamesTheVmaOfGrowingPrivateFilePages) {
  LeakSearch search(0);
  for (int second = 10; second < 13; ++second) {
    std::string maps = "process a 1\n1000-400000 rwxp 0 20 /lib/a.so : f1 f1";
    for (int i = 0; i < 100 * (second - 9); ++i) maps += " a1";
    fold(with(maps_snapshot(maps), "uptime_ns=1,", fmt::format("uptime_ns={}000000000,", second)),
         {&search});
  }
  View view;
  view.header.version = 2;  // paths are complete
  const std::vector<std::string> lines = leaks_text(search, search.rows(), {}, view);
  EXPECT_TRUE(lines.at(0).starts_with("Leak? /lib/a.so at 1000 of a (1): 400 ")) << lines.at(0);
  const Table table = leaks_table(search, search.rows(), view);
  ASSERT_EQ(table.rows.size(), 2u) << "the region and its VMA";
  for (const auto& row : table.rows) EXPECT_EQ(row.at(3), Cell(std::string("library data")));
}

}  // namespace
}  // namespace physmem
