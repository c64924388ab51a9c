// SPDX-License-Identifier: MIT
// Which alerts opened and closed.
#include <gmock/gmock.h>

#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kDayS = 86400;

/// A report with an alert of this state, as hosts with --state send them.
Report alert_report(const std::string& machine, std::uint64_t second, std::uint64_t state,
                    const std::string& unit = "/lib/x.so") {
  Report report = unit_report(machine, second, 4, unit);
  report.of(FactTable::kAlerts).push_back({{unit, "cat", "private_text"}, {state}});
  return report;
}

class AlertsTest : public StoreTest {
 protected:
  std::vector<std::string> alerts(const Asked& asked = {.question = "alerts"}) {
    std::vector<std::string> lines;
    for (const auto& row : ask(asked).rows) lines.push_back(cells(row));
    return lines;
  }
};

TEST_F(AlertsTest, AreCountedOverHosts) {
  add({alert_report("a", 0, 1), alert_report("a", 60, 0), alert_report("b", 30, 1),
       unit_report("c", 0, 4)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,2,1,2,1,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:01:00Z,host-a"));
  const Table table = ask({.question = "alerts"});
  EXPECT_EQ(table.head.title, "1 alert in 4 snapshots of 3 hosts, 1 still open");
}

TEST_F(AlertsTest, OpenOnMostHostsComeFirst) {
  add({alert_report("a", 0, 1, "/1"), alert_report("a", 1, 0, "/1"), alert_report("a", 2, 1, "/1"),
       alert_report("a", 3, 1, "/2"), alert_report("b", 3, 1, "/2"), alert_report("a", 4, 0, "/3"),
       alert_report("a", 5, 1, "/4")});
  std::string units;
  for (const std::string& line : alerts()) units += line.substr(0, 2);
  EXPECT_EQ(units, "/2/4/1/3");
}

TEST_F(AlertsTest, ReportedAgainDoNotOpenAgain) {
  add({alert_report("a", 0, 1), alert_report("a", 300, 1), alert_report("a", 600, 1)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,1,1,0,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:00:00Z,host-a"));
  EXPECT_THAT(alerts({.question = "alerts", .since = kDayOne + 100}),
              ElementsAre("/lib/x.so,cat,private_text,1,1,0,0,,,"));
}

/// A report of a unit with this number of alerts, which it does not report.
Report counted_report(const std::string& machine, std::uint64_t second, std::uint64_t alerts,
                      const std::string& unit = "/lib/x.so") {
  Report report = unit_report(machine, second, 4, unit);
  report.of(FactTable::kUnits).back() = {{unit}, {4096, 0, 0, 1, 4096, 4096, 4096, alerts}};
  return report;
}

TEST_F(AlertsTest, CloseWithALaterSnapshotWithoutAlertsOfTheUnit) {
  // The report that closed it is missing.
  add({alert_report("a", 0, 1), counted_report("a", 60, 2), counted_report("a", 180, 0),
       counted_report("a", 240, 0)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,0,1,1,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:03:00Z,host-a"));
}

TEST_F(AlertsTest, CloseWithALaterSnapshotWithoutTheUnit) {
  add({alert_report("a", 0, 1), unit_report("a", 60, 4, "/lib/y.so"), alert_report("a", 120, 1)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,1,2,1,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:02:00Z,host-a"));
}

TEST_F(AlertsTest, StayOpenWhileTheUnitHasAlerts) {
  add({alert_report("a", 0, 1), counted_report("a", 60, 1), counted_report("a", 120, 3)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,1,1,0,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:00:00Z,host-a"));
}

TEST_F(AlertsTest, ThatCloseAreReportedOnce) {
  add({alert_report("a", 0, 1), alert_report("a", 60, 0)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,0,1,1,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:01:00Z,host-a"));
}

TEST_F(AlertsTest, SnapshotsWithoutUnitsDoNotSayWhichAreOpen) {
  Report tasks = unit_report("a", 60, 4);
  tasks.of(FactTable::kUnits).clear();
  add({alert_report("a", 0, 1), tasks});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,1,1,0,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:00:00Z,host-a"));
}

TEST_F(AlertsTest, OpenBeforeTheTimeOfTheQuestionAreListed) {
  add({alert_report("a", 0, 1), counted_report("a", 3 * kDayS, 1), counted_report("b", 0, 1),
       counted_report("b", 3 * kDayS, 2), counted_report("c", kDayS, 1, "/lib/y.so"),
       counted_report("c", 0, 1), counted_report("c", 3 * kDayS, 0)});
  EXPECT_THAT(alerts({.question = "alerts", .since = kDayOne + 2 * kDayS}),
              ElementsAre("/lib/x.so,,,2,2,0,0,,,"));
  EXPECT_THAT(alerts({.question = "alerts",
                      .since = kDayOne + 2 * kDayS,
                      .hosts = {*NamePattern::parse("host-a")}}),
              ElementsAre("/lib/x.so,,,1,1,0,0,,,"));
  EXPECT_THAT(alerts({.question = "alerts",
                      .since = kDayOne + 2 * kDayS,
                      .units = {*NamePattern::parse("y.so")}}),
              IsEmpty());
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,1,1,0,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:00:00Z,host-a",
                                    "/lib/x.so,,,1,1,0,0,,,"));
}

TEST_F(AlertsTest, OpenBeforeTheTimeAreListedNextToOneThatOpensInIt) {
  // Of two hosts with an open alert, one has another alert of the unit on the fourth day.
  std::vector<Report> reports;
  for (const char* const machine : {"a", "b"})
    for (std::uint64_t day = 0; day < 5; ++day)
      reports.push_back(day == 0 ? alert_report(machine, 0, 1)
                                 : counted_report(machine, day * kDayS, 1));
  Report& second = reports[4];
  second.of(FactTable::kAlerts).push_back({{"/lib/x.so", "cat", "single_and_shared"}, {1}});
  add(reports);
  EXPECT_THAT(alerts({.question = "alerts", .since = kDayOne + 4 * kDayS}),
              ElementsAre("/lib/x.so,,,2,2,0,0,,,",
                          "/lib/x.so,cat,single_and_shared,1,1,1,0,2026-11-25T00:00:00Z,"
                          "2026-11-25T00:00:00Z,host-a"));
}

TEST_F(AlertsTest, AfterExpiryOnlySnapshotsWithFactsAreCounted) {
  add({alert_report("a", 0, 1), counted_report("a", 60, 1), counted_report("a", kDayS, 1),
       unit_report("b", 0, 4)});
  ASSERT_TRUE(store_->expire(kDayOne + kDayS));
  EXPECT_EQ(ask({.question = "alerts"}).head.title,
            "1 alert in 1 snapshot of 1 host, 1 still open");
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,,,1,1,0,0,,,"));
  EXPECT_EQ(answer_of({.question = "alerts"})->missing.size(), 1U);
}

TEST_F(AlertsTest, TimeHostAndUnitAreThoseOfTheQuestion) {
  add({alert_report("a", 0, 1), alert_report("a", kDayS, 0), alert_report("b", kDayS, 1, "/2"),
       alert_report("b", 2 * kDayS, 0, "/2")});
  EXPECT_EQ(
      alerts({.question = "alerts", .since = kDayOne + kDayS, .until = kDayOne + 2 * kDayS}).size(),
      2U);
  EXPECT_THAT(alerts({.question = "alerts",
                      .since = kDayOne + kDayS,
                      .hosts = {*NamePattern::parse("host-b")}}),
              ElementsAre("/2,cat,private_text,1,0,1,1,2026-11-22T00:00:00Z,"
                          "2026-11-23T00:00:00Z,host-b"));
  EXPECT_EQ(alerts({.question = "alerts", .units = {*NamePattern::parse("x.so")}}).size(), 1U);
  EXPECT_THAT(
      alerts(
          {.question = "alerts", .until = kDayOne + 1, .hosts = {*NamePattern::parse("host-b")}}),
      IsEmpty());
}

TEST_F(AlertsTest, TwoChangesInOneSecondAreInTheOrderOfMilliseconds) {
  Report later = alert_report("a", 0, 0);
  later.snapshot.time_ns += 5'000'000;
  add({later, alert_report("a", 0, 1)});
  EXPECT_EQ(rows(Question::kAlerts),
            "a /lib/x.so cat private_text 1795219200000 1\n"
            "a /lib/x.so   1795219200000 4\n"
            "a /lib/x.so cat private_text 1795219200005 0\n"
            "a /lib/x.so   1795219200005 2\n");
}

TEST_F(AlertsTest, EventsOfAUnitAreWhereItsAlertsBeginAndEndAndThatItHasSomeInTheLatestSnapshot) {
  add({alert_report("a", 0, 1, "/1"), counted_report("a", 60, 1, "/1"),
       counted_report("a", 120, 1, "/2"), counted_report("a", 180, 1, "/1")});
  EXPECT_EQ(rows(Question::kAlerts),
            "a /1 cat private_text 1795219200000 1\n"
            "a /1   1795219200000 4\n"
            "a /1   1795219320000 2\n"
            "a /1   1795219380000 3\n"
            "a /1   1795219380000 4\n"
            "a /2   1795219320000 4\n"
            "a /2   1795219380000 2\n");
}

TEST_F(AlertsTest, ReportsThatRepeatTheSnapshotBeforeAreNoEvents) {
  add({alert_report("a", 0, 1), alert_report("a", 60, 1), alert_report("a", 120, 1),
       counted_report("a", 180, 1), alert_report("a", 240, 1), alert_report("a", 300, 1)});
  EXPECT_EQ(rows(Question::kAlerts),
            "a /lib/x.so cat private_text 1795219200000 1\n"
            "a /lib/x.so   1795219200000 4\n"
            "a /lib/x.so cat private_text 1795219440000 1\n"
            "a /lib/x.so   1795219500000 3\n");
}

TEST_F(AlertsTest, ReportsAfterASnapshotWithoutUnitsAreEvents) {
  Report closed = alert_report("a", 60, 0);
  closed.of(FactTable::kUnits).clear();
  add({alert_report("a", 0, 1), closed, alert_report("a", 120, 1)});
  EXPECT_EQ(rows(Question::kAlerts),
            "a /lib/x.so cat private_text 1795219200000 1\n"
            "a /lib/x.so   1795219200000 4\n"
            "a /lib/x.so cat private_text 1795219260000 0\n"
            "a /lib/x.so cat private_text 1795219320000 1\n"
            "a /lib/x.so   1795219320000 3\n");
}

TEST_F(AlertsTest, ThatCloseWereReportedBefore) {
  add({alert_report("a", 0, 0), alert_report("a", 60, 0)});
  EXPECT_THAT(alerts(), ElementsAre("/lib/x.so,cat,private_text,1,0,0,1,2026-11-21T00:00:00Z,"
                                    "2026-11-21T00:00:00Z,host-a"));
}

}  // namespace
}  // namespace physmem::fleet
