// SPDX-License-Identifier: MIT
// Sizes of processes over a series.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analyzer/analyze/time/use_history.h"
#include "analyzer/shape/use_history_shape.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

/// A snapshot of processes with their resident pages.
std::string at(int second, const std::vector<std::pair<int, int>>& processes) {
  std::string text =
      "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns=" +
      std::to_string(1'763'683'200 + second) +
      "000000000, uptime_ns=" + std::to_string(86'400 + second) +
      "000000000, hz=100, ram_pages=1000, phys_mask=FFFFFFFFFF000, pte=none, prot=none, flags=kpf, "
      "count=mapcount, pages=none, pfn=hidden\n";
  std::uint64_t pages = 0;
  for (const auto& [pid, resident] : processes) {
    text += fmt::format(
        "T: p{0}, {0}, {0:08X}, 0, 0, 0, 0, 0, 0, 0, {0}, 1, 1, {1}\n"
        "V: 00010000, 0010FFFF, 00100000, {2:08X}, 00000000, 00000003, [heap], 00000000, 00:00, 0\n"
        "P: {3}, 0, 0, {3}, 0, 0\n",
        pid, pid % 2, resident * 4096, resident);
    pages += static_cast<std::uint64_t>(resident);
  }
  return text + "E: " + std::to_string(processes.size()) + ", " + std::to_string(processes.size()) +
         ", " + std::to_string(pages) + ", 0, 0\n";
}

UseHistory history_of(const std::vector<std::string>& snapshots, UseHistory history) {
  for (const std::string& snapshot : snapshots) fold(snapshot, {&history});
  return history;
}

std::vector<std::string> courses(const UseHistory& history) {
  std::vector<std::string> courses;
  const Table table = use_history_text(history, {}, 40);
  for (const auto& row : table.rows) {
    std::string text;
    for (const Cell& cell : row) {
      if (const auto* const size = std::get_if<double>(&cell))
        text += std::to_string(std::lround(*size)) + " ";
      if (const auto* const word = std::get_if<std::string>(&cell)) text += *word + " ";
    }
    courses.push_back(text);
  }
  return courses;
}

const std::vector<std::string> kSeries{at(0, {{1, 10}, {2, 40}}), at(10, {{1, 20}, {3, 5}}),
                                       at(20, {{1, 100}, {3, 5}}), at(30, {{1, 50}})};

TEST(UseHistory, FollowsProcessesThatComeAndGo) {
  EXPECT_THAT(courses(history_of(kSeries, UseHistory(UseGrouping::kProcess, {}, UseMeasure::kRss))),
              ElementsAre("p1 10 10 100 50 1295 ", "p2 40 40 40 40 9 ", "p3 5 5 5 5  99 ",
                          "total 50 25 105 50 4294 "));
}

TEST(UseHistory, AddsUpGroups) {
  EXPECT_THAT(courses(history_of(kSeries, UseHistory(UseGrouping::kUser, {}, UseMeasure::kRss))),
              ElementsAre("1 10 10 105 50 0294 ", "0 40 40 40 40 9 ", "total 50 25 105 50 4294 "));
}

/// A column is a part of the time, not a snapshot.
TEST(UseHistory, DrawsTimeToScale) {
  const UseHistory history =
      history_of({at(0, {{1, 10}}), at(1, {{1, 100}}), at(2, {{1, 50}}), at(100, {{1, 30}})},
                 UseHistory(UseGrouping::kProcess, {}, UseMeasure::kRss));
  EXPECT_THAT(courses(history), ElementsAre("p1 10 10 100 30 9  3 ", "total 10 10 100 30 9  3 "));
}

TEST(UseHistory, HasOneRowPerSnapshotAndProcessForPrograms) {
  const UseHistory history =
      history_of(kSeries, UseHistory(UseGrouping::kProcess, {}, UseMeasure::kRss));
  EXPECT_EQ(use_history_table(history, {}).rows.size(), 7u);
  UseView top;
  top.top = 1;
  EXPECT_EQ(use_history_table(history, top).rows.size(), 4u);
}

TEST(UseHistory, DrawsTheOthersAndTheTotal) {
  UseView top;
  top.top = 1;
  const UseHistory history =
      history_of(kSeries, UseHistory(UseGrouping::kProcess, {}, UseMeasure::kRss));
  const Series series = use_history_chart(history, top, {});
  std::vector<std::string> labels;
  for (const Series::Line& line : series.panels.front().lines) labels.push_back(line.label);
  EXPECT_THAT(labels, ElementsAre("total", "p1 (1)", "2 others"));
}

TEST(UseHistory, FollowsSizesOnly) {
  EXPECT_EQ(measure_of(UseColumn::kPid), std::nullopt);
  EXPECT_EQ(measure_of(UseColumn::kSwap), UseMeasure::kSwap);
}

}  // namespace
}  // namespace physmem
