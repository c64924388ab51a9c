// SPDX-License-Identifier: MIT
// Machines whose sums are too large are left out, and named.
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "fleet/ask/removal.h"
#include "fleet/model/limits.h"
#include "program/exit.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t kLargestKib = kMaxRam / 1024;
/// Of the largest sizes in a sum that is too large.
constexpr std::uint64_t kMany = kMaxSum / kMaxRam + 1;
constexpr const char* kNote =
    "without 1 host whose sums of sizes are above 8 EB, because its reports are wrong: host-wrong "
    "(physmem-fleet remove --host HOST removes them, with --since and --until for the time of the "
    "wrong reports)";

/// `second` seconds after each other, on day `day`.
std::vector<Report> wrong_reports(std::uint64_t day = 0, std::uint64_t second = 1) {
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    Report& report =
        reports.emplace_back(unit_report("wrong", day * kDay + i * second, kLargestKib));
    report.snapshot.has_ledger = 1;
    report.of(FactTable::kClasses).push_back({{"free"}, {kMaxRam, {}}});
  }
  return reports;
}

std::vector<Report> good_reports() {
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < 12; ++i) {
    Report& report =
        reports.emplace_back(unit_report(i % 3 == 0 ? "a" : "b", i * kDay / 4, 4 + i,
                                         i % 4 == 0 ? "/lib/libm.so.6" : "/lib/libc.so.6"));
    report.snapshot.has_ledger = 1;
    report.of(FactTable::kClasses).push_back({{"free"}, {4096 * i, {}}});
  }
  return reports;
}

class LargeSums : public StoreTest {
 protected:
  std::vector<Asked> questions() const {
    const std::vector<NamePattern> libc{*NamePattern::parse("/lib/libc.so.6")};
    return {{.question = "units"},
            {.question = "units", .units = libc},
            {.question = "changes", .since = kDayOne + kDay},
            {.question = "trend"},
            {.question = "trend", .units = libc}};
  }

  static std::string text_of(const Answer& answer) {
    std::string text;
    for (const Table& table : answer.tables)
      for (const auto& row : table.rows) text += cells(row) + "\n";
    return text + std::to_string(answer.snapshots);
  }

  std::vector<std::string> answers(bool is_incomplete) {
    std::vector<std::string> texts;
    for (const Asked& asked : questions()) {
      const auto found = answer_of(asked);
      EXPECT_TRUE(found) << found.error().text;
      if (!found) continue;
      EXPECT_EQ(found->is_incomplete, is_incomplete);
      if (is_incomplete) {
        EXPECT_THAT(found->missing, ElementsAre(kNote)) << asked.question;
      }
      texts.push_back(text_of(*found));
    }
    return texts;
  }
};

TEST_F(LargeSums, OfOneMachineLeaveOutThatMachine) {
  add(good_reports());
  const auto expected = answers(false);
  add(wrong_reports());
  EXPECT_EQ(answers(true), expected);
  EXPECT_EQ(*store_->rollup(kDayOne + 10 * kDay), 3U);
  EXPECT_EQ(answers(true), expected);
}

TEST_F(LargeSums, OfRemovedFactsLeaveOutTheMachine) {
  add(good_reports());
  add(wrong_reports());
  const auto units = text_of(*answer_of({.question = "units"}));
  ASSERT_EQ(*store_->expire(kDayOne + kDay), kMany + 4);
  EXPECT_EQ(text_of(*answer_of({.question = "units"})), units);
  // A trend of removed facts is of all machines together.
  const auto trend =
      answer_of({.question = "trend", .units = {*NamePattern::parse("/lib/libc.so.6")}});
  ASSERT_TRUE(trend);
  EXPECT_EQ(trend->tables.front().rows.size(), 2U);
  EXPECT_THAT(trend->missing, ElementsAre(HasSubstr("without what was before 2026-11-22"), kNote));
}

TEST_F(LargeSums, OfRemovedHostsLeaveOutTheDaysWithoutFacts) {
  const Asked trend{.question = "trend", .units = {*NamePattern::parse("/lib/libc.so.6")}};
  add(good_reports());
  for (const std::uint64_t day : {0, 1}) add(wrong_reports(day));
  ASSERT_TRUE(store_->expire(kDayOne + 2 * kDay));
  const auto removal = find_removal(*store_, {.hosts = {*NamePattern::parse("host-wrong")}});
  ASSERT_TRUE(removal);
  ASSERT_TRUE(store_->remove(removal->selection));
  const auto found = answer_of(trend);
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_TRUE(found->is_incomplete);
  EXPECT_THAT(found->missing,
              ElementsAre("without 2 days, 2026-11-21 to 2026-11-22, whose sums of sizes are above "
                          "8 EB: reports of these days were wrong, and the store has only the sums "
                          "of all hosts"));
  ASSERT_EQ(found->tables.front().rows.size(), 1U);
  EXPECT_THAT(cells(found->tables.front().rows[0]), StartsWith("2026-11-23,"));
  Asked first_day = trend;
  first_day.until = kDayOne + kDay;
  const auto of_none = answer_of(first_day);
  ASSERT_TRUE(of_none) << of_none.error().text;
  EXPECT_TRUE(of_none->tables.front().rows.empty());
  EXPECT_THAT(of_none->missing, ElementsAre(StartsWith("without 1 day, 2026-11-21, whose")));
  const auto units = answer_of({.question = "units"});
  ASSERT_TRUE(units) << units.error().text;
  EXPECT_FALSE(units->is_incomplete);
}

TEST_F(LargeSums, OfManyDaysLeaveOutTheMachine) {
  add(good_reports());
  const auto expected = text_of(*answer_of({.question = "units"}));
  add(wrong_reports(0, 300));  // each day of them is below the limit
  const auto found = answer_of({.question = "units"});
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(text_of(*found), expected);
  EXPECT_FALSE(answer_of({.question = "trend"})->is_incomplete);
}

TEST_F(LargeSums, OfClassesLeaveOutTheMachine) {
  add(good_reports());
  const auto expected = text_of(*answer_of({.question = "units"}));
  auto wrong = wrong_reports();
  for (Report& report : wrong) report.of(FactTable::kUnits).clear();
  add(wrong);
  const auto found = answer_of({.question = "units"});
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(text_of(*found), expected);
  EXPECT_THAT(found->missing, ElementsAre(kNote));
}

TEST_F(LargeSums, OfManyUnitsInOneSnapshotLeaveOutTheMachine) {
  add(good_reports());
  const auto expected = text_of(*answer_of({.question = "trend"}));
  Report report = unit_report("wrong", 7, kLargestKib);
  for (std::uint64_t i = 0; i < kMany; ++i)
    report.of(FactTable::kUnits)
        .push_back({{"/lib/" + std::to_string(i)}, {kMaxRam, 0, 0, 1, 1, 1, 1, 0}});
  add({report});
  const auto found = answer_of({.question = "trend"});
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(text_of(*found), expected);
  EXPECT_THAT(found->missing, ElementsAre(kNote));
}

TEST_F(LargeSums, OfOneOfTwoHostsOfOneNameNameItsMachine) {
  add({unit_report("a", 0, 4)});
  auto wrong = wrong_reports();
  for (Report& report : wrong) report.snapshot.host = "host-a";
  add(wrong);
  const auto found = answer_of({.question = "units"});
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_THAT(found->missing,
              ElementsAre(AllOf(HasSubstr("reports are wrong: host-a [wrong] ("),
                                EndsWith("of the wrong reports; --host ID if an id in brackets "
                                         "follows the name)"))));
}

/// The note on the machine "wrong", and what `remove` does that it recommends.
struct Recommended {
  std::string note;
  Removal removal;
};

class RecommendedRemoval : public LargeSums {
 protected:
  /// The question is of the hosts that it leaves out.
  Recommended of(const Asked& asked) {
    const auto found = answer_of(asked);
    EXPECT_TRUE(found) << found.error().text;
    for (const std::string& note : found ? found->missing : std::vector<std::string>())
      if (note.find("above 8 EB") != note.npos) {
        const auto removal = find_removal(*store_, recommended_removal(note));
        EXPECT_TRUE(removal) << removal.error().text;
        if (removal) return {note, *removal};
      }
    ADD_FAILURE() << "no host is left out";
    return {};
  }
  void add_named(const std::string& host, std::vector<Report> reports) {
    for (Report& report : reports) report.snapshot.host = host;
    add(reports);
  }
  /// Of the machine "wrong", and nothing of others.
  void expect_exactly(const Recommended& recommended, std::uint64_t snapshots) {
    EXPECT_EQ(recommended.removal.selection.machines, std::vector<std::string>{"wrong"})
        << recommended.note;
    EXPECT_EQ(recommended.removal.snapshots, snapshots) << recommended.note;
  }
};

TEST_F(RecommendedRemoval, IsOfAHostThatWasRenamed) {
  add_named("web1", wrong_reports());
  add_named("old1", {unit_report("wrong", 2 * kDay, 4)});
  add_named("web1", {unit_report("b", 2 * kDay, 4)});
  add({unit_report("a", 0, 4)});
  const Asked until{.question = "units", .until = kDayOne + kDay};
  const Recommended in_time = of(until);
  expect_exactly(in_time, kMany);
  EXPECT_THAT(in_time.note,
              EndsWith("are wrong: web1 [wrong] (physmem-fleet remove --host HOST --until "
                       "2026-11-22T00:00:00Z removes all its reports of this time; --host ID if "
                       "an id in brackets follows the name)"));
  const Recommended of_all = of({.question = "units"});
  expect_exactly(of_all, kMany + 1);
  EXPECT_THAT(of_all.note, HasSubstr("are wrong: old1 (physmem-fleet remove --host HOST removes "));
  ASSERT_TRUE(store_->remove(in_time.removal.selection));
  EXPECT_FALSE(answer_of(until)->is_incomplete);
}

TEST_F(RecommendedRemoval, IsOfAHostThatHadTheNameOfAnother) {
  add_named("web1", wrong_reports());
  add_named("web1", {unit_report("b", 0, 4)});
  add_named("web2", {unit_report("b", 2 * kDay, 4)});
  expect_exactly(of({.question = "trend", .until = kDayOne + kDay}), kMany);
  expect_exactly(of({.question = "trend"}), kMany);
}

TEST_F(RecommendedRemoval, IsOfAHostWhoseNameIsAnIdOrAPattern) {
  add(good_reports());
  for (const char* const name : {"a", "*", "/o/", "host-a, host-b"}) {
    add_named(name, wrong_reports());
    expect_exactly(of({.question = "units"}), kMany);
  }
}

TEST_F(RecommendedRemoval, IsOfBothTimesOfChanges) {
  add(good_reports());
  add_named("web1", wrong_reports());
  add_named("old1", {unit_report("wrong", 2 * kDay, 4)});
  add_named("web1", {unit_report("b", 2 * kDay, 4)});
  expect_exactly(of({.question = "changes", .since = kDayOne + kDay}), kMany + 1);
}

TEST_F(RecommendedRemoval, IsOfWholeDaysWithoutFacts) {
  add(good_reports());
  add(wrong_reports());
  add(wrong_reports(1));
  ASSERT_TRUE(store_->expire(kDayOne + kDay));
  expect_exactly(of({.question = "trend", .since = kDayOne + 5}), kMany);
  expect_exactly(of({.question = "units", .since = kDayOne, .until = kDayOne + 2 * kDay}),
                 2 * kMany);
}

TEST_F(LargeSums, OfManyMachinesAreAnError) {
  add(good_reports());
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < kMany; ++i)
    reports.push_back(unit_report("m" + std::to_string(i), i, kLargestKib));
  add(reports);
  const auto trend = answer_of({.question = "trend"});
  ASSERT_FALSE(trend);
  EXPECT_THAT(trend.error().text, HasSubstr("a sum is above 8 EB"));
  EXPECT_EQ(exit_of(trend.error().kind), Exit::kBadInput);
  EXPECT_TRUE(answer_of({.question = "units"}));
}

TEST_F(LargeSums, OfSomeMachinesAreAnErrorThatNamesThem) {
  add(good_reports());
  std::vector<Report> reports;
  for (std::uint64_t host = 0; host < 7; ++host)
    for (std::uint64_t i = 0; i < 288; ++i)
      reports.push_back(
          unit_report("m" + std::to_string(host), i * 300, kLargestKib - (host == 2 ? 0 : 4)));
  add(reports);
  const auto trend = answer_of({.question = "trend"});
  ASSERT_FALSE(trend);
  EXPECT_THAT(
      trend.error().text,
      EndsWith("; the largest sums are those of host-m2 (1152.0 PiB), host-m0 (1152.0 PiB), "
               "host-m1 (1152.0 PiB)"));
  add(wrong_reports());
  const auto with_one_more = answer_of({.question = "trend"});
  ASSERT_FALSE(with_one_more);
  EXPECT_THAT(with_one_more.error().text, HasSubstr("of host-wrong (above 8 EB), host-m2 ("));
}

/// Each unit has a row of each shard, as in ClickHouse.
class TwoShards : public Store {
 public:
  TwoShards(Store& first, Store& second) : shards_{&first, &second} {}

  Status ask(Question question, const Selection& selection, const TakeRow& take) override {
    for (Store* const shard : shards_)
      if (Status status = shard->ask(question, selection, take); !status) return status;
    return {};
  }
  Result<std::uint64_t> expired_before() override { return 0; }
  Status create() override { return {}; }
  Result<std::set<std::string>> known(const std::vector<std::string>& /*keys*/) override {
    return std::set<std::string>();
  }
  Status add(std::span<const Report> /*batch*/) override { return {}; }
  Status set_kept(std::span<const KeptSnapshot> /*kept*/) override { return {}; }
  Status forget_kept(std::uint64_t /*before*/) override { return {}; }
  Result<std::uint64_t> rollup(std::uint64_t /*before*/) override { return 0; }
  Result<std::uint64_t> expire(std::uint64_t /*before*/) override { return 0; }
  Result<RemovalEnd> remove(const Selection& /*selection*/) override { return RemovalEnd::kDone; }
  Status finish_removals() override { return {}; }

 private:
  std::array<Store*, 2> shards_;
};

TEST_F(LargeSums, OfTwoShardsAreTheErrorOfOneStore) {
  TemporaryFolder folder;
  std::array<std::unique_ptr<Store>, 3> stores;  // two shards, and one store of all
  for (std::size_t i = 0; i < stores.size(); ++i) {
    stores[i] = std::move(
        *open_store("sqlite:" + folder.path(std::to_string(i) + ".db"), StoreAccess::kCreate));
    ASSERT_TRUE(stores[i]->create());
  }
  std::array<std::vector<Report>, 2> reports;
  for (std::uint64_t i = 0; i < kMany; ++i)
    reports[i % 2].push_back(unit_report("m" + std::to_string(i), i, kLargestKib));
  for (std::size_t shard = 0; shard < 2; ++shard) {
    ASSERT_TRUE(stores[shard]->add(reports[shard]));
    ASSERT_TRUE(stores[2]->add(reports[shard]));
  }
  const Asked changes{.question = "changes", .now = kDayOne + 9 * kDay, .since = kDayOne};
  for (std::size_t shard = 0; shard < 2; ++shard) EXPECT_TRUE(answer(*stores[shard], changes));
  TwoShards both(*stores[0], *stores[1]);
  const auto of_both = answer(both, changes), of_one = answer(*stores[2], changes);
  ASSERT_FALSE(of_both);
  ASSERT_FALSE(of_one);
  EXPECT_THAT(of_both.error().text, StartsWith("a sum is above 8 EB"));
  EXPECT_EQ(of_both.error().text, of_one.error().text);
  EXPECT_EQ(of_both.error().kind, of_one.error().kind);
}

TEST_F(LargeSums, OfTheOnlyMachineAreAnError) {
  add(good_reports());
  add(wrong_reports());
  const std::vector<NamePattern> wrong{*NamePattern::parse("host-wrong")};
  EXPECT_FALSE(answer_of({.question = "units", .hosts = wrong}));
  EXPECT_TRUE(answer_of({.question = "units", .hosts = {*NamePattern::parse("host-[ab]")}}));
}

TEST_F(LargeSums, OfRegionsAreUnknown) {
  Report report = unit_report("wrong", 7, 4);
  for (std::uint64_t i = 0; i < kMany; ++i)
    report.of(FactTable::kRegions).push_back({{std::to_string(i)}, {kMaxRam, 0}});
  add({report, unit_report("a", 8, 4)});
  const auto found = answer_of({.question = "hosts"});
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->tables.front().rows.size(), 2U);
}

}  // namespace
}  // namespace physmem::fleet
