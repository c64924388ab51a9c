// SPDX-License-Identifier: MIT
// Removal of what hosts have reported.
#include "fleet/ask/removal.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "fleet/model/report.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;

/// Two hosts, on three days.
std::vector<Report> day_reports(const std::vector<std::string>& machines) {
  std::vector<Report> reports;
  for (const std::string& machine : machines)
    for (std::uint64_t i = 0; i < 12; ++i) {
      Report& report = reports.emplace_back(unit_report(
          machine, i * kDay / 4, 4 + i * machine.size(), i % 2 ? "/lib/libc.so.6" : "/bin/x"));
      report.snapshot.has_ledger = 1;
      report.of(FactTable::kClasses).push_back({{"free"}, {4096 * i, {}}});
    }
  return reports;
}

class RemovalTest : public StoreTest {
 protected:
  static std::vector<NamePattern> host(const std::string& name) {
    return {*NamePattern::parse("host-" + name)};
  }
  Removal found(const Asked& asked) {
    auto removal = find_removal(*store_, asked);
    EXPECT_TRUE(removal) << removal.error().text;
    return removal ? *removal : Removal();
  }
  std::vector<std::string> remove(const Asked& asked) {
    const Removal removal = found(asked);
    EXPECT_TRUE(*store_->remove(removal.selection));
    return report_of(removal, false, true);
  }
  std::string answers() {
    std::string text;
    for (const Question question : {Question::kMachines, Question::kUnits, Question::kTrend,
                                    Question::kHosts, Question::kUnitNames})
      text += rows(question);
    const auto units = answer_of({.question = "units"});
    for (const Table& table : units->tables)
      for (const auto& row : table.rows) text += cells(row) + "\n";
    return text;
  }
  /// Of another store.
  std::string answers_of(const std::vector<Report>& reports) {
    TemporaryFolder folder;
    auto other = open_store("sqlite:" + folder.path("other.db"), StoreAccess::kCreate);
    EXPECT_TRUE((*other)->create());
    EXPECT_TRUE((*other)->add(reports));
    std::swap(store_, *other);
    std::string text = answers();
    std::swap(store_, *other);
    return text;
  }
};

TEST_F(RemovalTest, RemovesAHostAsIfItHadNeverReported) {
  const auto reports = day_reports({"a"});
  add(reports);
  add(day_reports({"gone"}));
  EXPECT_EQ(*store_->rollup(kDayOne + 3 * kDay), 3U);
  EXPECT_THAT(remove({.hosts = host("gone")}),
              ElementsAre("12 snapshots of 1 host removed from the store: host-gone"));
  const std::string expected = answers_of(reports);
  EXPECT_EQ(answers(), expected);
  EXPECT_EQ(*store_->rollup(kDayOne + 3 * kDay), 3U);
  EXPECT_EQ(answers(), expected);
  EXPECT_TRUE(found({.hosts = host("gone")}).hosts.empty());
}

TEST_F(RemovalTest, ReportsProgressByMachine) {
  add(day_reports({"a", "b", "c"}));
  std::string calls;
  store_->set_progress([&](std::size_t done, std::size_t all) {
    calls += std::to_string(done) + "/" + std::to_string(all) + " ";
  });
  remove({.hosts = host("[ac]")});
  EXPECT_EQ(calls, "0/2 1/2 ");
}

TEST_F(RemovalTest, RemovesAPartOfTheTime) {
  auto reports = day_reports({"a"});
  add(reports);
  EXPECT_EQ(*store_->rollup(kDayOne + 3 * kDay), 3U);
  remove({.since = kDayOne + kDay / 2, .until = kDayOne + 2 * kDay, .hosts = host("*")});
  reports.erase(reports.begin() + 2, reports.begin() + 8);
  const std::string expected = answers_of(reports);
  EXPECT_EQ(answers(), expected);
  EXPECT_EQ(*store_->rollup(kDayOne + 3 * kDay), 1U);
  EXPECT_EQ(answers(), expected);
}

TEST_F(RemovalTest, RemovesSumsOfDaysWithoutFacts) {
  add(day_reports({"a"}));
  EXPECT_EQ(*store_->expire(kDayOne + kDay), 4U);
  const std::string expected = rows(Question::kMachines) + rows(Question::kUnits);
  store_.reset();
  std::filesystem::remove(path());
  SetUp();
  add(day_reports({"a", "gone"}));
  EXPECT_EQ(*store_->expire(kDayOne + kDay), 8U);
  EXPECT_THAT(remove({.hosts = host("gone")}),
              ElementsAre("12 snapshots of 1 host removed from the store: host-gone",
                          "the trend of days before 2026-11-22T00:00:00Z still has them: the store "
                          "has only its sums of all hosts"));
  EXPECT_EQ(rows(Question::kMachines) + rows(Question::kUnits), expected);
  EXPECT_FALSE(find_removal(*store_, {.since = kDayOne + 1, .hosts = host("a")}));
}

TEST_F(RemovalTest, RemovesSnapshotsOfATimeToCome) {
  add({unit_report("a", 0, 4), unit_report("a", 24'500 * kDay, 4)});
  EXPECT_EQ(answer_of({.question = "units"})->missing.size(), 1U);
  remove({.since = kDayOne + 100 * kDay, .hosts = host("a")});
  EXPECT_TRUE(answer_of({.question = "units"})->missing.empty());
  EXPECT_THAT(rows(Question::kMachines), testing::StartsWith("a host-a 1 "));
}

TEST_F(RemovalTest, ChoosesOneOfTwoHostsOfOneNameByItsMachine) {
  const std::string ids[]{"0db0a1b2c3d4e5f60718293a4b5c6d7e", "1db0a1b2c3d4e5f60718293a4b5c6d7e"};
  auto reports = day_reports({ids[0], ids[1]});
  for (Report& report : reports) report.snapshot.host = "web1";
  add(reports);
  const std::vector<NamePattern> web1{*NamePattern::parse("web1")};
  EXPECT_THAT(report_of(found({.hosts = web1}), true, true),
              ElementsAre("would remove 24 snapshots of 2 hosts from the store: web1 [" + ids[0] +
                          "], web1 [" + ids[1] + "]"));
  for (const char* const pattern : {"*db0*", "1db0*", "/db0/"})
    EXPECT_TRUE(found({.hosts = {*NamePattern::parse(pattern)}}).hosts.empty()) << pattern;
  EXPECT_THAT(remove({.hosts = {*NamePattern::parse(ids[1])}}),
              ElementsAre("12 snapshots of 1 host removed from the store: web1"));
  std::erase_if(reports, [&](const Report& report) { return report.snapshot.machine == ids[1]; });
  EXPECT_EQ(answers(), answers_of(reports));
  EXPECT_THAT(report_of(found({.hosts = web1}), true, true),
              ElementsAre("would remove 12 snapshots of 1 host from the store: web1"));
}

TEST_F(RemovalTest, TakesANameOrAnId) {
  auto reports = day_reports({"a", "b"});
  for (Report& report : reports)
    if (report.snapshot.machine == "b") report.snapshot.host = "a";
  add(reports);
  const auto machines = [&](const char* pattern) {
    return *found({.hosts = {*NamePattern::parse(pattern)}}).selection.machines;
  };
  EXPECT_THAT(machines("host-a"), ElementsAre("a"));
  EXPECT_THAT(machines("b"), ElementsAre("b"));
  EXPECT_THAT(machines("a"), ElementsAre("a", "b")) << "an id, and the name of another machine";
  EXPECT_THAT(machines("[a]"), ElementsAre("b")) << "wildcards are for names";
}

TEST_F(RemovalTest, NamesAreTheLatestOfTheTime) {
  auto reports = day_reports({"a"});
  for (Report& report : reports)
    if (report.snapshot.time_ns >= (kDayOne + kDay) * kSecondNs) report.snapshot.host = "old1";
  add(reports);
  const auto removal = [&](const char* name, std::optional<std::uint64_t> until) {
    return report_of(found({.until = until, .hosts = {*NamePattern::parse(name)}}), true, true);
  };
  const auto day = kDayOne + kDay;
  const char* const none =
      "no host with snapshots in this time matches --host: it takes the latest name from --since "
      "to --until, or a machine id";
  EXPECT_THAT(removal("old1", day), ElementsAre(none));
  EXPECT_THAT(removal("host-a", day),
              ElementsAre("would remove 4 snapshots of 1 host from the store: host-a"));
  EXPECT_THAT(removal("old1", {}),
              ElementsAre("would remove 12 snapshots of 1 host from the store: old1"));
}

TEST_F(RemovalTest, ReportsWhatWouldBeRemoved) {
  add(day_reports({"a", "b"}));
  EXPECT_THAT(report_of(found({.hosts = host("[ab]")}), true, true),
              ElementsAre("would remove 24 snapshots of 2 hosts from the store: host-a, host-b"));
  EXPECT_THAT(report_of(found({.hosts = host("x")}), true, true),
              ElementsAre("no host with snapshots in this time matches --host"));
  EXPECT_THAT(report_of(found({.hosts = host("a")}), false, false),
              ElementsAre("interrupted while 12 snapshots of 1 host were removed: the same command "
                          "goes on"));
}

}  // namespace
}  // namespace physmem::fleet
