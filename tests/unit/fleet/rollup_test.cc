// SPDX-License-Identifier: MIT
// Sums of days in SQLite, while other programs change the store.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <filesystem>

#include "fleet/store/sqlite_rollup.h"
#include "fleet/store/unit_sizes.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

/// More than one transaction writes.
constexpr std::uint64_t kMachines = 130;

std::vector<Report> reports_of_day() {
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < 2 * kMachines; ++i) {
    reports.push_back(unit_report("m" + std::to_string(i % kMachines), i * 60, 4 + i * i % 17,
                                  i % 5 == 0 ? "/lib/libm.so.6" : "/lib/libc.so.6"));
    Report& report = reports.back();
    report.snapshot.has_ledger = 1;
    report.of(FactTable::kUnits).push_back({{"/bin/x"}, {{}, {}, {}, 1, {}, {}, {}, i % 3}});
    report.of(FactTable::kClasses).push_back({{"free"}, {4096 * i, {}}});
    report.of(FactTable::kCaches).push_back({{"slab", "dentry"}, {4096 * i}});
    report.of(FactTable::kCaches).push_back({{"class", "free"}, {4096}});
  }
  return reports;
}

class RollupTest : public StoreTest {
 protected:
  /// What happens before a transaction; an error ends the rollup, as a kill does.
  using Before = std::function<Status(int transaction)>;

  Result<bool> sum_up(const Before& before, std::size_t max_sizes = SqliteRollup::kMaxSizes) {
    auto database = SqliteDatabase::open(path(), StoreAccess::kWrite);
    EXPECT_TRUE(database);
    const auto in_transaction = [&](const std::function<Status()>& work) -> Status {
      if (Status status = before(++transactions_); !status) return status;
      EXPECT_TRUE((*database)->execute("BEGIN IMMEDIATE"));
      Status status = work();
      EXPECT_TRUE((*database)->execute(status ? "COMMIT" : "ROLLBACK"));
      return status;
    };
    transactions_ = 0;
    return SqliteRollup(**database, in_transaction, kDayOne, max_sizes).run();
  }

  /// The sums in the file, whether they count or not.
  std::string sums() const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    std::string text;
    const auto take = [](void* to, int count, char** values, char**) {
      for (int i = 0; i < count; ++i)
        *static_cast<std::string*>(to) += std::string(values[i] ? values[i] : "-") + " ";
      *static_cast<std::string*>(to) += "\n";
      return 0;
    };
    for (const char* const table : {"machine_days", "unit_days", "ram_days", "trend_days", "days"})
      sqlite3_exec(database, ("SELECT * FROM " + std::string(table)).c_str(), take, &text, nullptr);
    sqlite3_close(database);
    return text;
  }

  std::string answers() {
    std::string text;
    for (const auto& row : ask({.question = "trend", .units = {*NamePattern::parse("libc*")}}).rows)
      text += cells(row) + "\n";
    const auto units = answer(*store_, {.question = "units"});
    for (const Table& table : units->tables)
      for (const auto& row : table.rows) text += cells(row) + "\n";
    return text + rows(Question::kMachines) + rows(Question::kUnitNames);
  }

  int transactions_ = 0;
};

TEST_F(RollupTest, GivesTheAnswersOfFacts) {
  add(reports_of_day());
  const std::string before = answers();
  EXPECT_TRUE(*sum_up([](int) { return Status(); }));
  EXPECT_EQ(transactions_, 5);
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(*store_->rollup(kDayOne + 86400), 0U);
}

TEST_F(RollupTest, ASnapshotThatIsAddedMeanwhileIsInTheSums) {
  // At the start, a machine that is read already, one that is not, and at the end.
  for (int number = 1; number <= 5; ++number) {
    SCOPED_TRACE(number);
    store_.reset();
    std::filesystem::remove(path());
    SetUp();
    add(reports_of_day());
    const auto late = [&](int transaction) {
      if (transaction == number) add({unit_report("m0", 4000, 40), unit_report("new", 1, 80)});
      return Status();
    };
    const auto is_done = sum_up(late);
    ASSERT_TRUE(is_done);
    EXPECT_EQ(*is_done, number == 1);
    EXPECT_EQ(*store_->rollup(kDayOne + 86400), *is_done ? 0U : 1U);
    const std::string found = answers();
    EXPECT_THAT(found, testing::HasSubstr("new host-new 1 "));
    EXPECT_THAT(found, testing::HasSubstr("m0 host-m0 3 "));
  }
}

TEST_F(RollupTest, ASnapshotThatIsReplacedMeanwhileEndsIt) {
  auto reports = reports_of_day();
  add(reports);
  Report other = reports.back();
  other.of(FactTable::kUnits)[0].numbers[0] = 1 << 20;
  const auto is_done = sum_up([&](int transaction) {
    if (transaction == 5) add({other});
    return Status();
  });
  EXPECT_FALSE(*is_done);
  const std::string from_facts = answers();
  EXPECT_EQ(*store_->rollup(kDayOne + 86400), 1U);
  EXPECT_EQ(answers(), from_facts);
  EXPECT_THAT(from_facts, testing::HasSubstr("1048576"));
}

TEST_F(RollupTest, SumsWithoutTheirDayDoNotCount) {
  add(reports_of_day());
  const std::string from_facts = answers();
  ASSERT_TRUE(*sum_up([](int) { return Status(); }));
  const std::string whole = sums();
  for (int number = 1; number <= 5; ++number) {
    SCOPED_TRACE(number);
    auto database = SqliteDatabase::open(path(), StoreAccess::kWrite);
    ASSERT_TRUE((*database)->execute("DELETE FROM days"));
    EXPECT_FALSE(sum_up([&](int transaction) {
      return transaction == number ? Status(Error{Error::Kind::kIo, "killed"}) : Status();
    }));
    EXPECT_EQ(answers(), from_facts);
    EXPECT_EQ(*store_->rollup(kDayOne + 86400), 1U);
    EXPECT_EQ(sums(), whole);
    EXPECT_EQ(answers(), from_facts);
  }
}

TEST_F(RollupTest, TwoAtOnceGiveTheSumsOfOne) {
  add(reports_of_day());
  const std::string from_facts = answers();
  const auto is_done = sum_up([&](int transaction) {
    EXPECT_EQ(transaction == 3 ? *store_->rollup(kDayOne + 86400) : 1U, 1U);
    return Status();
  });
  EXPECT_FALSE(*is_done);
  EXPECT_EQ(answers(), from_facts);
}

TEST_F(RollupTest, SumsOfRemovedFactsStay) {
  add(reports_of_day());
  const std::string from_facts = answers();
  const auto is_done = sum_up([&](int transaction) {
    EXPECT_TRUE(transaction != 1 || store_->expire(kDayOne + 86400));
    return Status();
  });
  EXPECT_FALSE(*is_done);
  EXPECT_EQ(answers(), from_facts);
}

TEST_F(RollupTest, HasTheSameSumsInManyPasses) {
  add(reports_of_day());
  ASSERT_TRUE(*sum_up([](int) { return Status(); }));
  const std::string whole = sums();
  auto database = SqliteDatabase::open(path(), StoreAccess::kWrite);
  ASSERT_TRUE((*database)->execute("DELETE FROM days"));
  EXPECT_TRUE(*sum_up([](int) { return Status(); }, 4));
  EXPECT_GT(transactions_, 5);
  EXPECT_EQ(sums(), whole);
}

TEST_F(RollupTest, ASnapshotThatMovesToAnotherDayIsNotInTheSumsOfTheFirst) {
  Report report = unit_report("a", 0, 4);
  add({report, unit_report("b", 0, 8)});
  ASSERT_EQ(*store_->rollup(kDayOne + 86400), 1U);
  report.snapshot.time_ns += 86400 * kSecondNs;
  add({report});
  EXPECT_THAT(rows(Question::kMachines), testing::HasSubstr("a host-a 1 "));
}

TEST_F(RollupTest, AReportOfAnExpiredDayIsLeftOut) {
  add({unit_report("a", 0, 4)});
  ASSERT_TRUE(store_->expire(kDayOne + 86400));
  add({unit_report("a", 60, 4), unit_report("a", 86400, 8)});
  EXPECT_THAT(rows(Question::kMachines), testing::HasSubstr("a host-a 2 "));
}

/// Of three units with many sizes, in as many passes as it takes.
std::vector<std::vector<std::uint64_t>> totals_of(std::size_t max_sizes, int& passes) {
  UnitSizes sizes(max_sizes);
  std::vector<std::vector<std::uint64_t>> found;
  passes = 0;
  for (std::optional<std::uint64_t> first = 0; first; first = sizes.next(), ++passes) {
    sizes.begin(*first);
    for (std::uint64_t i = 0; i < 600; ++i)
      sizes.add(30 - i % 3 * 10, i % 3, 1 + i / 100, i * i % 101 * 4096);
    const auto units = *sizes.totals();
    for (const UnitSizes::Totals& unit : units)
      found.push_back({unit.id, unit.machines, unit.snapshots, unit.bytes, unit.min, unit.p50,
                       unit.p99, unit.max});
  }
  return found;
}

TEST(UnitSizes, AreTheSameInOneAndInManyPasses) {
  int one = 0, many = 0;
  const auto found = totals_of(1000, one);
  EXPECT_EQ(totals_of(60, many), found);
  EXPECT_EQ(one, 1);
  EXPECT_EQ(many, 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0][0], 10U);
  EXPECT_EQ(found[0][1], 6U);
  EXPECT_EQ(found[0][2], 200U);
}

TEST(UnitSizes, PercentilesAreOfTheNearestRank) {
  UnitSizes sizes(50);
  for (std::uint64_t i = 200; i >= 1; --i) sizes.add(7, 0, i, i);
  const auto units = *sizes.totals();
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units.front().min, 1U);
  EXPECT_EQ(units.front().p50, 100U);
  EXPECT_EQ(units.front().p99, 198U);
  EXPECT_EQ(units.front().max, 200U);
  EXPECT_EQ(units.front().bytes, 20100U);
  EXPECT_EQ(units.front().machines, 200U);
}

TEST(UnitSizes, RejectSumsThatStoresCannotHold) {
  UnitSizes sizes(50);
  sizes.add(1, 0, 1, kMaxNumber - 3);
  sizes.add(1, 0, 2, 3);
  EXPECT_EQ(sizes.totals()->front().bytes, kMaxNumber);
  sizes.add(1, 0, 3, 1);
  EXPECT_EQ(sizes.totals().error().kind, Error::Kind::kTooLarge);
}

}  // namespace
}  // namespace physmem::fleet
