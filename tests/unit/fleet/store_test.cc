// SPDX-License-Identifier: MIT
// The store in SQLite.
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::HasSubstr;

TEST_F(StoreTest, SumsUnitsByMachine) {
  add({unit_report("a", 0, 4), unit_report("a", 300, 12), unit_report("b", 0, 8)});
  EXPECT_EQ(rows(Question::kUnits, {.machines = {{"a"}}}),
            "/lib/libc.so.6 a 2 2 16384 4096 12288 1795219200000000000 1795219500000000000 0\n");
  EXPECT_EQ(rows(Question::kMachines),
            "a host-a 2 1795219200000000000 1795219500000000000 0\n"
            "b host-b 1 1795219200000000000 1795219200000000000 0\n");
}

TEST_F(StoreTest, ReplacesAReportOfTheSameKey) {
  Report report = unit_report("a", 0, 4);
  add({report, report});
  report.of(FactTable::kUnits)[0].numbers[0] = 8192;
  add({report});
  EXPECT_THAT(rows(Question::kUnits), HasSubstr("a 1 1 8192 "));
  EXPECT_EQ(store_->known({report.snapshot.key, "other"}).operator*(),
            std::set<std::string>{report.snapshot.key});
}

TEST_F(StoreTest, KeepsTwoReportsOfOneSecond) {
  Report report = unit_report("a", 0, 4);
  Report later = unit_report("a", 0, 4);
  later.snapshot.time_ns += 5'000'000;
  add({report, later});
  EXPECT_THAT(rows(Question::kMachines), HasSubstr("host-a 2 "));
}

TEST_F(StoreTest, KeepsHostileNames) {
  const std::vector<std::string> names{"'; DROP TABLE units; --",
                                       "\"",
                                       "\\011\\012\\377",
                                       std::string(kMaxText, 'x'),
                                       "",
                                       "[\"a\"]",
                                       "ä"};
  std::vector<Report> reports;
  for (std::size_t i = 0; i < names.size(); ++i)
    reports.push_back(unit_report(names[i] + "m", i, 4, names[i]));
  add(reports);
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_THAT(rows(Question::kUnits, {.machines = {{names[i] + "m"}}, .units = {{names[i]}}}),
                HasSubstr(names[i] + " " + names[i] + "m 1 1 4096"));
}

TEST_F(StoreTest, AnswersFromSumsOfDaysAsFromFacts) {
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < 40; ++i)
    reports.push_back(unit_report(i % 3 == 0 ? "a" : "b", i * 9000, 4 + i * i % 17,
                                  i % 2 == 0 ? "/lib/libc.so.6" : "/lib/libm.so.6"));
  add(reports);
  const auto answers = [&] {
    std::string text;
    for (const char* const question : {"units", "trend"})
      for (const auto& row :
           ask({.question = question, .units = {*NamePattern::parse("libc*")}}).rows)
        text += cells(row) + "\n";
    return text + rows(Question::kMachines) + rows(Question::kUnitNames);
  };
  const std::string before = answers();
  EXPECT_EQ(*store_->rollup(kDayOne + 3 * 86400), 3U);
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(*store_->expire(kDayOne + 2 * 86400 + 77), 20U);
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(*store_->expired_before(), kDayOne + 2 * 86400);
}

TEST_F(StoreTest, ANewReportOfASummedDayCounts) {
  add({unit_report("a", 0, 4)});
  ASSERT_EQ(*store_->rollup(kDayOne + 86400), 1U);
  add({unit_report("a", 60, 8)});
  EXPECT_THAT(rows(Question::kUnits), HasSubstr("a 2 2 12288 "));
  ASSERT_EQ(*store_->rollup(kDayOne + 86400), 1U);
  EXPECT_THAT(rows(Question::kUnits), HasSubstr("a 2 2 12288 "));
}

TEST_F(StoreTest, APartOfAnExpiredDayIsRefused) {
  add({unit_report("a", 0, 4)});
  ASSERT_TRUE(store_->expire(kDayOne + 86400));
  const auto found = answer_of({.question = "units", .since = kDayOne + 5});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text,
            "--since: found 2026-11-21T00:00:05Z, expected a midnight (UTC) such as "
            "2026-11-21T00:00:00Z: before 2026-11-22T00:00:00Z the store has only sums of days");
  const auto error = [&](const Asked& asked) { return answer_of(asked).error().text; };
  EXPECT_THAT(
      error({.question = "trend", .until = kDayOne + 5, .units = {*NamePattern::parse("/x")}}),
      testing::StartsWith("--until: "));
  EXPECT_THAT(error({.question = "changes", .since = kDayOne + 86400, .before = kDayOne + 5}),
              testing::StartsWith("--before: "));
}

TEST_F(StoreTest, QuestionsThatReadNoSumsBeginWithTheFacts) {
  add({unit_report("a", 0, 4), unit_report("b", 0, 4), unit_report("a", 86400, 4)});
  ASSERT_TRUE(store_->expire(kDayOne + 86400));
  for (const char* const question : {"hosts", "leaks", "gaps", "snapshots", "alerts", "trend"}) {
    const auto found = answer_of({.question = question, .since = kDayOne + 5});
    ASSERT_TRUE(found) << question;
    EXPECT_EQ(found->missing.size(), 1U) << question;
  }
  EXPECT_EQ(ask({.question = "gaps", .since = kDayOne + 5}).head.title,
            "No gaps in the snapshots of 1 host");
  EXPECT_EQ(answer_of({.question = "leaks"})->snapshots, 1U);
  EXPECT_EQ(answer_of({.question = "alerts", .until = kDayOne + 7})->snapshots, 0U);
}

TEST_F(StoreTest, PercentilesAreOfTheNearestRank) {
  std::vector<Report> reports;
  for (std::uint64_t i = 1; i <= 200; ++i) reports.push_back(unit_report("a", i, i));
  add(reports);
  EXPECT_EQ(cells(ask({.question = "trend"}).rows.at(0)),
            "2026-11-21,1,200,1024,102400,102912,202752,204800");
}

TEST_F(StoreTest, ComparesTheTimeBeforeAndAfter) {
  add({unit_report("a", 0, 10), unit_report("b", 0, 30), unit_report("a", 100, 40),
       unit_report("a", 200, 60), unit_report("a", 150, 5, "/new")});
  const Table table = ask({.question = "changes", .since = kDayOne + 50});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(cells(table.rows[0]), "/lib/libc.so.6,2,1,20480,51200,30720,150.00");
  EXPECT_EQ(cells(table.rows[1]), "/new,0,1,,5120,5120,");
}

TEST_F(StoreTest, NamesMemoryWithoutAFileAlike) {
  Report report = unit_report("a", 100, 40, "");
  report.of(FactTable::kAlerts).push_back({{"", "cat", "private_text"}, {1}});
  add({unit_report("a", 0, 10, ""), report});
  for (const char* question : {"units", "changes", "alerts"}) {
    const Table table = ask({.question = question, .since = kDayOne + 50});
    ASSERT_EQ(table.rows.size(), 1U) << question;
    EXPECT_THAT(cells(table.rows[0]), testing::StartsWith("NULL,")) << question;
  }
}

std::string open_error(const std::string& url, StoreAccess access = StoreAccess::kRead) {
  const auto store = open_store(url, access);
  return store ? "" : store.error().text;
}

TEST(OpenStore, SaysWhyAFileIsNoStore) {
  const TemporaryFolder folder;
  EXPECT_THAT(open_error("x"), HasSubstr("expected a store: sqlite:FILE"));
  EXPECT_THAT(open_error(folder.path("none.db")), HasSubstr("No such file"));
  EXPECT_THAT(open_error(folder.put("empty.db", "")), HasSubstr("is empty"));
  EXPECT_THAT(open_error(folder.put("text.db", std::string(5000, 'x'))),
              HasSubstr("is not a database of SQLite"));
}

void run_sql(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST(OpenStore, RejectsDatabasesOfOthersAndNewerVersions) {
  const TemporaryFolder folder;
  run_sql(folder.path("other.db"), "CREATE TABLE x (y)");
  EXPECT_THAT(open_error(folder.path("other.db"), StoreAccess::kCreate),
              HasSubstr("of another program"));
  auto store = open_store(folder.path("new.db"), StoreAccess::kCreate);
  ASSERT_TRUE(store);
  ASSERT_TRUE((*store)->create());
  store->reset();
  run_sql(folder.path("new.db"), "PRAGMA user_version = 5");
  EXPECT_THAT(open_error(folder.path("new.db")),
              HasSubstr("has version 5 of the tables, expected 4"));
}

/// Names of the columns of a table.
std::vector<std::string> columns(const std::string& path, const std::string& table) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  std::vector<std::string> names;
  const auto take = [](void* to, int, char** values, char**) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(values[1]);
    return 0;
  };
  sqlite3_exec(database, ("PRAGMA table_info(" + table + ")").c_str(), take, &names, nullptr);
  sqlite3_close(database);
  return names;
}

TEST_F(StoreTest, OfVersion3IsReadAndBroughtUpToDate) {
  add({unit_report("a", 0, 4)});
  const std::string expected = rows(Question::kUnits);
  store_.reset();
  run_sql(path(),
          "PRAGMA user_version = 3; CREATE TABLE text_sweeps (number INTEGER NOT NULL);"
          "INSERT INTO text_sweeps VALUES (1); CREATE TABLE used_texts (id INTEGER PRIMARY KEY)");
  store_ = std::move(*open_store(path(), StoreAccess::kRead));
  EXPECT_EQ(rows(Question::kUnits), expected);
  store_ = std::move(*open_store(path(), StoreAccess::kWrite));
  ASSERT_TRUE(store_->create());
  add({unit_report("b", 0, 4)});
  EXPECT_THAT(rows(Question::kUnits), HasSubstr(expected));
  EXPECT_TRUE(columns(path(), "text_sweeps").empty());
}

TEST_F(StoreTest, IsNotChangedByAReader) {
  const auto reader = open_store(path(), StoreAccess::kRead);
  ASSERT_TRUE(reader);
  EXPECT_FALSE((*reader)->add(std::vector{unit_report("a", 0, 4)}));
}

TEST_F(StoreTest, HasTheColumnsOfTheModel) {
  for (const FactColumns& table : fact_tables()) {
    std::vector<std::string> expected{"id"};
    expected.insert(expected.end(), table.texts.begin(), table.texts.end());
    expected.insert(expected.end(), table.numbers.begin(), table.numbers.end());
    EXPECT_EQ(columns(path(), std::string(table.name)), expected);
  }
  std::vector<std::string> expected{"id", "key", "machine", "time", "millisecond"};
  for (const SnapshotColumn& column : snapshot_columns().subspan(2))
    expected.emplace_back(column.name);
  EXPECT_EQ(columns(path(), "snapshots"), expected);
}

TEST_F(StoreTest, SaysWhatAnAnswerDoesNotHaveAfterExpiry) {
  add({unit_report("a", 0, 4), unit_report("b", 86400, 4)});
  ASSERT_TRUE(store_->expire(kDayOne + 86400));
  const auto notes = [&](const Asked& asked) { return answer_of(asked)->missing; };
  for (const char* const question : {"hosts", "leaks", "gaps", "snapshots", "alerts", "trend"}) {
    ASSERT_EQ(notes({.question = question}).size(), 1U) << question;
    EXPECT_EQ(
        notes({.question = question})[0],
        "without what was before 2026-11-22T00:00:00Z: the store has only sums of these days");
    EXPECT_TRUE(notes({.question = question, .since = kDayOne + 86400}).empty()) << question;
  }
  EXPECT_TRUE(notes({.question = "units"}).empty());
  EXPECT_TRUE(notes({.question = "trend", .units = {*NamePattern::parse("libc*")}}).empty());
}

TEST_F(StoreTest, SaysThatNothingMatches) {
  add({unit_report("a", 0, 4)});
  const auto notes = [&](const Asked& asked) { return answer_of(asked)->notes; };
  EXPECT_THAT(notes({.question = "units", .hosts = {*NamePattern::parse("x")}}),
              testing::ElementsAre("no host with snapshots in this time matches --host"));
  EXPECT_THAT(notes({.question = "units", .units = {*NamePattern::parse("x")}}),
              testing::ElementsAre("no file of this time matches --file"));
  EXPECT_THAT(notes({.question = "units", .units = {*NamePattern::parse("/x")}}),
              testing::ElementsAre("nothing of this time matches --file"));
  EXPECT_TRUE(notes({.question = "units", .hosts = {*NamePattern::parse("host-a")}}).empty());
  EXPECT_TRUE(notes({.question = "units", .hosts = {*NamePattern::parse("a")}}).empty());
}

TEST_F(StoreTest, SaysThatATimeHasNoSnapshot) {
  add({unit_report("a", 0, 4)});
  for (const char* const question :
       {"units", "hosts", "changes", "trend", "leaks", "gaps", "alerts", "snapshots"}) {
    Asked asked{.question = question, .since = kDayOne + kDay, .before = kDayOne};
    const auto notes = [&] { return answer_of(asked)->notes; };
    EXPECT_THAT(notes(), testing::ElementsAre("no snapshot in this time")) << question;
    for (const char* const unit : {"x", "/x"}) {
      asked.units = {*NamePattern::parse(unit)};
      EXPECT_THAT(notes(), testing::ElementsAre("no snapshot in this time")) << question;
    }
    asked.hosts = {*NamePattern::parse("host-a")};
    EXPECT_THAT(notes(),
                testing::ElementsAre("no host with snapshots in this time matches --host: it takes "
                                     "the latest name from --since to --until, or a machine id"))
        << question;
    asked = {.question = question, .since = kDayOne, .before = kDayOne};
    EXPECT_TRUE(notes().empty()) << question;
  }
}

TEST_F(StoreTest, SnapshotsAfterNowCountOnlyWithUntil) {
  constexpr std::uint64_t kIn2093 = 24'500 * kDay;
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < 4; ++i) {
    reports.push_back(unit_report("a", i * 60, 4));
    reports.push_back(unit_report("b", i * 60, 4));
  }
  reports.push_back(unit_report("a", kIn2093, 8));
  reports.push_back(unit_report("c", kIn2093 + 1, 8));
  reports.push_back(unit_report("d", 3599, 4));  // ahead by less than an hour
  add(reports);
  const auto at_once = [](const char* question) {
    return Asked{.question = question, .now = kDayOne + 181};
  };
  for (const char* const question : {"units", "hosts", "trend", "leaks", "gaps", "alerts"}) {
    const auto found = answer_of(at_once(question));
    ASSERT_TRUE(found) << found.error().text;
    EXPECT_THAT(found->missing,
                testing::ElementsAre(
                    "without snapshots after 2026-11-21T01:03:01Z, of 2 hosts with a clock that "
                    "is ahead: host-a (2093-12-19T00:00:00Z), host-c (2093-12-19T00:00:01Z) "
                    "(--until 2107-01-01 includes them, physmem-fleet remove --host HOST --since "
                    "2026-11-21T01:03:01Z removes them)"))
        << question;
  }
  EXPECT_EQ(ask(at_once("hosts")).rows.size(), 3U);
  EXPECT_THAT(cells(ask(at_once("hosts")).rows[2]), HasSubstr("host-d,2026-11-21T00:59:59Z,0,"));
  EXPECT_EQ(ask(at_once("trend")).rows.size(), 1U);
  EXPECT_EQ(ask(at_once("gaps")).rows.size(), 0U);
  Asked all = at_once("hosts");
  all.until = kDayOne + 30'000 * kDay;
  EXPECT_EQ(ask(all).rows.size(), 4U);
  EXPECT_TRUE(answer_of(all)->missing.empty());
  Asked later = at_once("hosts");
  later.since = kDayOne + kIn2093;
  EXPECT_EQ(ask(later).rows.size(), 2U);
  Asked of_b = at_once("hosts");
  of_b.hosts = {*NamePattern::parse("host-b")};
  EXPECT_TRUE(answer_of(of_b)->missing.empty());
}

TEST_F(StoreTest, DrawsOnlyWhatIsAskedForAsAPicture) {
  add({unit_report("a", 0, 4), unit_report("a", kDay, 8)});
  for (const char* const question : {"units", "hosts", "changes", "trend", "leaks"}) {
    Asked asked{.question = question, .since = kDayOne + kDay};
    const auto text = answer_of(asked);
    asked.has_picture = true;
    const auto picture = answer_of(asked);
    ASSERT_TRUE(text && picture) << question;
    EXPECT_EQ(text->charts.size() + text->series.size(), 0U) << question;
    EXPECT_EQ(picture->charts.size() + picture->series.size(), 1U) << question;
  }
}

TEST_F(StoreTest, RejectsTimesInTheWrongOrder) {
  const auto error = [&](const Asked& asked) { return answer_of(asked).error().text; };
  EXPECT_EQ(error({.question = "units", .since = kDayOne, .until = kDayOne}),
            "--until: found 2026-11-21T00:00:00Z, expected a time after --since, "
            "2026-11-21T00:00:00Z");
  EXPECT_EQ(error({.question = "changes", .since = kDayOne, .before = kDayOne + 1}),
            "--before: found 2026-11-21T00:00:01Z, expected --since, 2026-11-21T00:00:00Z, or a "
            "time before it");
}

TEST_F(StoreTest, FindsUnitsOfTheTimeOfTheQuestion) {
  add({unit_report("a", 0, 4, "/lib/a"), unit_report("a", 86400, 4, "/lib/b"),
       unit_report("a", 3 * 86400, 4, "/lib/c")});
  const Selection middle{.since = kDayOne + 86400, .before = kDayOne + 3 * 86400};
  EXPECT_EQ(rows(Question::kUnitNames, middle), "/lib/b\n");
  ASSERT_TRUE(store_->rollup(kDayOne + 3 * 86400));
  EXPECT_EQ(rows(Question::kUnitNames, middle), "/lib/b\n");
  ASSERT_TRUE(store_->expire(kDayOne + 2 * 86400));
  EXPECT_EQ(rows(Question::kUnitNames, middle), "/lib/b\n");
  EXPECT_EQ(rows(Question::kUnitNames), "/lib/a\n/lib/b\n/lib/c\n");
}

TEST_F(StoreTest, APathIsAPatternOfOneUnit) {
  add({unit_report("a", 0, 4, "/lib/a\\134"), unit_report("a", 1, 4, "/lib/ab")});
  const auto units = [&](const char* pattern) {
    return ask({.question = "units", .units = {*NamePattern::parse(pattern)}}).rows.size();
  };
  EXPECT_EQ(units("/lib/ab"), 1U);
  EXPECT_EQ(units("/lib/a*"), 2U);
  EXPECT_EQ(units("/lib/a"), 0U);
}

TEST(SqliteStoreOf, IsNotOpenedWhereAllUsersCanPutAJournal) {
  const TemporaryFolder folder;
  const std::string file = folder.path("fleet.db");
  const auto problem_of = [&](StoreAccess access) {
    const auto store = open_store("sqlite:" + file, access, {});
    return store ? std::string() : store.error().text;
  };
  EXPECT_EQ(problem_of(StoreAccess::kCreate), "");
  for (const mode_t mode : {01777U, 0777U, 01775U}) {
    ::chmod(folder.name().c_str(), mode);
    for (const StoreAccess access : {StoreAccess::kCreate, StoreAccess::kWrite, StoreAccess::kRead})
      EXPECT_THAT(problem_of(access), HasSubstr("all users can write to its folder")) << mode;
  }
  ::chmod(folder.name().c_str(), 0755);
  EXPECT_EQ(problem_of(StoreAccess::kRead).find("all users"), std::string::npos);
}

TEST(SqliteStoreOf, IsNotOpenedBesideAJournalOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to make a file of another user";
  constexpr uid_t kOther = 4711, kOwner = 4712;
  const TemporaryFolder folder;
  const std::string file = folder.path("fleet.db");
  const auto problem = [&] {
    const auto store = open_store("sqlite:" + file, StoreAccess::kRead, {});
    return store ? std::string() : store.error().text;
  };
  ASSERT_TRUE(open_store("sqlite:" + file, StoreAccess::kCreate, {}));
  for (const char* const ending : {"-journal", "-wal"}) {
    const std::string journal = file + ending;
    std::ofstream(journal) << "";
    EXPECT_THAT(problem(), HasSubstr("is empty"));
    ASSERT_EQ(::chown(journal.c_str(), kOther, kOther), 0);
    EXPECT_THAT(problem(), HasSubstr("beside it is a file of user 4711"));
    ASSERT_EQ(::unlink(journal.c_str()), 0);
    ASSERT_EQ(::symlink("elsewhere", journal.c_str()), 0);
    EXPECT_THAT(problem(), HasSubstr("beside it is not a regular file"));
    ASSERT_EQ(::unlink(journal.c_str()), 0);
  }
  ASSERT_EQ(::chown(folder.name().c_str(), kOther, kOther), 0);
  EXPECT_THAT(problem(), HasSubstr("user 4711 owns its folder"));
  // The owner of a store may have its journals.
  ASSERT_EQ(::chown(folder.name().c_str(), kOwner, kOwner), 0);
  ASSERT_EQ(::chown(file.c_str(), kOwner, kOwner), 0);
  EXPECT_THAT(problem(), HasSubstr("is empty"));
}

}  // namespace
}  // namespace physmem::fleet
