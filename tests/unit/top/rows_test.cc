// SPDX-License-Identifier: MIT
#include "top/model/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/top/top_round.h"

namespace physmem::top {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    names.push_back(std::string(row.depth, '>') +
                    (row.process != nullptr ? row.process->command : row.label));
  return names;
}

std::vector<std::string> sorted(const Round& round, const Order& order) {
  auto rows = rows_of(round, nullptr, {}, user_of);
  sort_rows(rows, order);
  return names_of(rows);
}

ProcessState with_pss(ProcessState process, Kib pss) {
  process.pss = pss;
  return process;
}

ProcessState in_cgroup(ProcessState process, const char* cgroup) {
  process.cgroup = Name(cgroup);
  return process;
}

TEST(Rows, HaveRatesBetweenTwoRounds) {
  ProcessState before = some_process(7, "load", 100);
  ProcessState after = before;
  after.minors = 500;
  after.majors = 10;
  after.ticks = 25;
  const Round first = round_at(10, {before});
  const Round second = round_at(12, {after});
  const auto rows = rows_of(second, &first, {}, user_of);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].numbers.minors, 250);
  EXPECT_EQ(rows[0].numbers.majors, 5);
  EXPECT_EQ(rows[0].numbers.cpu, 12.5) << "25 ticks of 10 ms in two seconds";
  EXPECT_EQ(rows[0].user, "user1000");
}

TEST(Rows, HaveNoRatesOfAnotherProcessWithTheSameId) {
  const Round first = round_at(10, {some_process(7, "old", 100)});
  ProcessState other = some_process(7, "new", 100);
  other.start_time = 8;
  const Round second = round_at(11, {other});
  EXPECT_FALSE(rows_of(second, &first, {}, user_of)[0].numbers.minors);
}

TEST(Rows, AreSortedByPssOrByRssWherePssIsUnknown) {
  const Round round =
      round_at(1, {some_process(1, "unread", 900), some_process(2, "unread-small", 5),
                   with_pss(some_process(3, "small", 500), 10),
                   with_pss(some_process(4, "large", 300), 200)});
  EXPECT_THAT(sorted(round, {}), ElementsAre("unread", "large", "small", "unread-small"));
  EXPECT_THAT(sorted(round, {SortKey::kPss, true}),
              ElementsAre("unread-small", "small", "large", "unread"));
  EXPECT_THAT(sorted(round, {SortKey::kUss, false}),
              ElementsAre("unread", "small", "large", "unread-small"));
  EXPECT_THAT(sorted(round, {SortKey::kRss, false}),
              ElementsAre("unread", "small", "large", "unread-small"));
  EXPECT_THAT(sorted(round, {SortKey::kCommand, false}),
              ElementsAre("large", "small", "unread", "unread-small"));
}

TEST(Rows, AreSelectedByPidUserAndText) {
  ProcessState root = some_process(1, "init", 1);
  root.uid = 0;
  const Round round =
      round_at(1, {root, some_process(2, "bash", 1), some_process(3, "Bashful", 1)});
  const auto names = [&](const Selection& selection) {
    return names_of(rows_of(round, nullptr, selection, user_of));
  };
  EXPECT_THAT(names({.only = {.pids = {2, 9}}}), ElementsAre("bash"));
  EXPECT_THAT(names({.only = {.names = {*NamePattern::parse("b*")}}}), ElementsAre("bash"));
  EXPECT_THAT(names({.only = {.users = {0}}}), ElementsAre("init"));
  EXPECT_THAT(names({.only = {.cgroups = {*NamePattern::parse("/system.slice")}}}), ElementsAre());
  const auto filtered = [&](const char* text) { return names({.filter = TextFilter(text)}); };
  EXPECT_THAT(filtered("bash"), ElementsAre("bash", "Bashful"));
  EXPECT_THAT(filtered("3"), ElementsAre("Bashful"));
  EXPECT_THAT(filtered("user.sl"), ElementsAre("init", "bash", "Bashful"));
  EXPECT_THAT(filtered("b*"), ElementsAre("bash")) << "a glob is for a whole name";
  EXPECT_THAT(filtered("[Bb]ash*"), ElementsAre("bash", "Bashful"));
  EXPECT_THAT(filtered("/^b|^ini/"), ElementsAre("init", "bash"));
  EXPECT_THAT(filtered("/(/"), ElementsAre()) << "not complete";
  EXPECT_TRUE(TextFilter("/(/").is_wrong());
  EXPECT_FALSE(TextFilter("/a/").is_wrong() || TextFilter("/(").is_wrong());
}

TEST(Tree, SumsUpCgroupsAndMergesThoseWithOneChild) {
  const Round round =
      round_at(1, {in_cgroup(with_pss(some_process(1, "a", 10), 4), "/user.slice/u.scope"),
                   in_cgroup(with_pss(some_process(2, "b", 20), 8), "/user.slice/u.scope"),
                   in_cgroup(with_pss(some_process(3, "web", 90), 80), "/system.slice/web.service"),
                   in_cgroup(with_pss(some_process(4, "db", 70), 60), "/system.slice/db.service"),
                   in_cgroup(some_process(5, "init", 5), "/")});
  const auto tree = tree_of(rows_of(round, nullptr, {}, user_of), {}, {});
  EXPECT_THAT(names_of(tree), ElementsAre("system.slice", ">web.service", ">>web", ">db.service",
                                          ">>db", "user.slice/u.scope", ">b", ">a", "init"));
  EXPECT_EQ(tree[0].numbers.pss, 140u);
  EXPECT_EQ(tree[0].numbers.rss, 160u);
  EXPECT_EQ(tree[0].members, 2u);
  EXPECT_EQ(tree[5].numbers.pss, 12u);
  EXPECT_EQ(total_of(tree).pss, 152u) << "groups do not count twice";
}

TEST(Tree, HidesWhatIsInACollapsedGroup) {
  const Round round = round_at(1, {in_cgroup(some_process(1, "a", 10), "/x/y")});
  const auto tree = tree_of(rows_of(round, nullptr, {}, user_of), {}, {"/x/y"});
  EXPECT_THAT(names_of(tree), ElementsAre("x/y"));
  EXPECT_TRUE(tree[0].is_collapsed);
}

}  // namespace
}  // namespace physmem::top
