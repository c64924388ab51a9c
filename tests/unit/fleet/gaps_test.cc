// SPDX-License-Identifier: MIT
// Missing numbers of series, and hosts that are late.
#include <gmock/gmock.h>

#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using GapsTest = StoreTest;

TEST_F(GapsTest, FindsNumbersThatASeriesSkips) {
  std::vector<Report> reports;
  for (const std::uint64_t sequence : {0, 1, 4, 5, 0, 1}) {
    reports.push_back(unit_report("a", reports.size() * 60, 4));
    reports.back().snapshot.sequence = sequence;
  }
  reports.back().snapshot.lost = 3;
  add(reports);
  EXPECT_EQ(rows(Question::kGaps),
            "a boot 2 0 1 0 1795219200000000000 1795219260000000000 - - - -\n"
            "a boot 4 2 1 3 1795219320000000000 1795219500000000000 2 3 1795219260000000000 "
            "1795219320000000000\n");
  const Table table = ask({.question = "gaps"});
  EXPECT_EQ(cells(table.rows.at(0)),
            "host-a,boot,6,2,2-3,2026-11-21T00:01:00Z,2026-11-21T00:02:00Z,3,2,"
            "2026-11-21T00:00:00Z,2026-11-21T00:05:00Z,8639700,a");
}

TEST_F(GapsTest, NamesAFewOfTheMissingNumbers) {
  std::vector<Report> reports;
  for (const std::uint64_t sequence : {3, 5, 9, 11, 13, 15, 17, 19, 22, 23}) {
    reports.push_back(unit_report("a", reports.size() * 60, 4));
    reports.back().snapshot.boot = reports.size() < 3 ? "one" : "two";
    reports.back().snapshot.sequence = sequence;
  }
  add(reports);
  std::vector<std::string> numbers;
  for (const auto& row : ask({.question = "gaps"}).rows)
    numbers.push_back(cells({row[1], row[3], row[4]}));
  EXPECT_THAT(numbers,
              testing::ElementsAre("one,1,4", "two,10,6-8, 10, 12, 14, 16, 18 and 2 more"));
}

TEST_F(GapsTest, AClockThatIsSetBackLeavesNoGap) {
  std::vector<Report> reports;
  std::uint64_t sequence = 0;
  // The clock is set back after six snapshots. Two are missing after that.
  for (const std::uint64_t second : {0, 60, 120, 180, 240, 300, 150, 210, 270}) {
    reports.push_back(unit_report("a", second, 4));
    reports.back().snapshot.uptime_ns = (sequence + 1) * 60 * kSecondNs;
    reports.back().snapshot.sequence = sequence < 8 ? sequence : sequence + 2;
    reports.back().snapshot.lost = sequence / 3;
    ++sequence;
  }
  add(reports);
  EXPECT_EQ(rows(Question::kGaps),
            "a boot 8 0 1 2 1795219200000000000 1795219500000000000 - - - -\n"
            "a boot 1 2 0 0 1795219470000000000 1795219470000000000 8 9 1795219410000000000 "
            "1795219470000000000\n");
}

TEST_F(GapsTest, SeriesWithoutABootIdAreInTheOrderOfTime) {
  std::vector<Report> reports;
  for (const std::uint64_t sequence : {0, 1, 4, 5}) {
    reports.push_back(unit_report("a", reports.size() * 60, 4));
    reports.back().snapshot.boot = "";
    reports.back().snapshot.sequence = sequence;
    reports.back().snapshot.uptime_ns = 1000 - sequence;
  }
  add(reports);
  EXPECT_EQ(rows(Question::kGaps),
            "a  2 0 1 0 1795219200000000000 1795219260000000000 - - - -\n"
            "a  2 2 0 0 1795219320000000000 1795219380000000000 2 3 1795219260000000000 "
            "1795219320000000000\n");
}

TEST_F(GapsTest, AHostWithOneSnapshotIsLateAsTheOthersAre) {
  add({unit_report("a", 0, 4), unit_report("a", 600, 4), unit_report("b", 0, 4)});
  const auto late_at = [&](std::uint64_t second) {
    std::string hosts;
    for (const auto& row : ask({.question = "gaps", .until = kDayOne + second}).rows)
      hosts += cells({row[0], row[11]}) + " ";
    return hosts;
  };
  EXPECT_EQ(late_at(1800), "");
  EXPECT_EQ(late_at(1801), "host-b,1801 ");
  EXPECT_EQ(late_at(2401), "host-a,1801 host-b,2401 ");
}

}  // namespace
}  // namespace physmem::fleet
