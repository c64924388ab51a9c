// SPDX-License-Identifier: MIT
// Tables of what processes use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/report/sized_table.h"
#include "analyzer/shape/use_shape.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kMib = 256;  ///< pages

/// A process with this many pages of its own.
Process process(const std::string& name, std::uint64_t pid, std::uint64_t pages) {
  Process process;
  process.task.comm = name;
  process.task.pid = pid;
  process.task.identity = TaskIdentity{pid, 0, 1, pid == 7 ? 0u : 1000u};
  Area& area = process.areas.emplace_back();
  area.tally.anon = {pages, pages, 0, {pages << PageShare::kShift}, 0};
  return process;
}

/// Sizes in MiB.
std::vector<std::string> texts(const Table& in_pages) {
  const Table table = in_unit(in_pages, {SizeUnit::kMib, PageSize()}, UnitPlace::kColumns);
  std::vector<std::string> rows;
  for (const auto& row : table.rows) {
    std::string text;
    for (const Cell& cell : row) {
      if (!text.empty()) text += ' ';
      if (const auto* const word = std::get_if<std::string>(&cell)) text += *word;
      if (const auto* const n = std::get_if<std::uint64_t>(&cell)) text += std::to_string(*n);
      if (const auto* const x = std::get_if<double>(&cell)) text += std::to_string(*x).substr(0, 4);
      if (cell.index() == 0) text += '-';
    }
    rows.push_back(text);
  }
  return rows;
}

MemoryUses three(UseGrouping grouping = UseGrouping::kProcess) {
  MemoryUses uses(grouping);
  Header header;
  header.count = Header::Count::kMapcount;
  uses.on_header(header);
  uses.on_process(process("small", 9, kMib));
  uses.on_process(process("large", 7, 3 * kMib));
  uses.on_process(process("middle", 8, 2 * kMib));
  return uses;
}

TEST(UseTable, IsSortedBySizeAndHasATotal) {
  EXPECT_THAT(texts(use_table(three(), {}, {})),
              ElementsAre("7 0 large 3.00 3.00 3.00 0.00", "8 1000 middle 2.00 2.00 2.00 0.00",
                          "9 1000 small 1.00 1.00 1.00 0.00", "- - total 6.00 6.00 6.00 0.00"));
}

/// A process of user 0 with 8 MiB, which the collector may not read.
Process add_hidden(MemoryUses& uses) {
  Process hidden;
  hidden.task.comm = "hidden";
  hidden.task.pid = 10;
  hidden.task.identity = TaskIdentity{10, 0, 1, 0};
  uses.on_counters(std::vector<Counter>{{"process.10.rss_kB", 8 * 1024}});
  uses.on_process(hidden);
  return hidden;
}

TEST(UseTable, AddsUpWhatIsKnown) {
  MemoryUses uses = three();
  add_hidden(uses);
  UseView use;
  use.top = 1;
  EXPECT_THAT(texts(use_table(uses, use, {})),
              ElementsAre("7 0 large 3.00 3.00 3.00 0.00", "- - (3 more) 3.00 3.00 11.0 0.00",
                          "- - total known 6.00 6.00 14.0 0.00"));
  use.sort = UseColumn::kRss;
  EXPECT_EQ(texts(use_table(uses, use, {})).front(), "10 0 hidden - - 8.00 0.00");
}

/// Of user 0: one process that is known, one that is not.
TEST(UseTable, CountsTheProcessesOfAGroupThatAreNotInItsSums) {
  MemoryUses uses = three(UseGrouping::kUser);
  Process hidden = add_hidden(uses);
  hidden.task.identity->uid = 3;
  uses.on_process(hidden);
  uses.on_end();
  const Table table = use_table(uses, {}, {});
  EXPECT_EQ(table.head.columns[2].title, "Unread");
  EXPECT_THAT(texts(table), ElementsAre("0 2 1 - 3.00 11.0 0.00", "1000 2 0 3.00 3.00 3.00 0.00",
                                        "3 1 1 - - 8.00 0.00", "total known 5 2 - 6.00 22.0 0.00"))
      << "process 10 may map frames of the other one of user 0";
  const UseView data{.has_sums = false};
  EXPECT_THAT(texts(use_table(three(UseGrouping::kUser), data, {})),
              ElementsAre("0 1 0 3.00 3.00 3.00 0.00", "1000 2 0 3.00 3.00 3.00 0.00"));
}

/// A file without resident pages is known to have none, which says nothing of the others.
TEST(UseTable, HasNoSumOfUnknownNumbers) {
  MemoryUses uses(UseGrouping::kUnit);
  Process unlisted = process("sh", 7, kMib);
  unlisted.areas[0].tally.has_unlisted = true;
  unlisted.areas[0].marks.unit = Name("[heap]");
  unlisted.areas.emplace_back();
  uses.on_process(unlisted);
  EXPECT_THAT(texts(use_table(uses, {.top = 1}, {})),
              ElementsAre("1 1.00 - 1.00 0.00 [heap]", "- 0.00 0.00 0.00 0.00 (1 more)",
                          "- 1.00 - 1.00 0.00 total"));
}

/// What a narrow terminal leaves out, in this order, and what it keeps.
TEST(UseTable, KeepsItsOrderOnANarrowTerminal) {
  const TableHead head = use_table(three(), {.sort = UseColumn::kUss}, {}).head;
  EXPECT_EQ(head.kept, "USS");
  EXPECT_THAT(head.idle, ElementsAre("Swap"));
  EXPECT_THAT(head.spare, testing::Contains("User"));
  EXPECT_EQ(head.spare.front(), "Swap");
}

TEST(UseTable, KnowsItsColumns) {
  EXPECT_EQ(use_column("PSS"), UseColumn::kPss);
  EXPECT_EQ(use_column("ps"), std::nullopt);
  EXPECT_TRUE(has_column(UseGrouping::kUnit, UseColumn::kFile));
  EXPECT_FALSE(has_column(UseGrouping::kProcess, UseColumn::kFile));
  EXPECT_EQ(use_column_words(UseGrouping::kUser),
            "user, processes, threads, unread, uss, pss, rss, swap, swap-pss, ksm, huge, anon, "
            "file-pages, shmem, lazyfree, hugetlb, locked, dirty, pagetables, vss or percent");
}

TEST(UseTable, HasTheColumnsAndOrderThatAreAskedFor) {
  UseView use;
  use.columns = {UseColumn::kCommand, UseColumn::kRss};
  use.sort = UseColumn::kCommand;
  const Table table = use_table(three(), use, {});
  EXPECT_THAT(texts(table), ElementsAre("large 3.00", "middle 2.00", "small 1.00", "total 6.00"));
  EXPECT_EQ(table.head.columns[1].title, "RSS");
  EXPECT_EQ(table.head.columns[1].kind, Column::Kind::kSize);
  use.is_reversed = true;
  EXPECT_THAT(texts(use_table(three(), use, {})),
              ElementsAre("small 1.00", "middle 2.00", "large 3.00", "total 6.00"));
}

TEST(UseTable, SumsUpTheRowsThatAreNotShown) {
  UseView use;
  use.columns = {UseColumn::kCommand, UseColumn::kProcesses, UseColumn::kRss};
  use.top = 1;
  EXPECT_THAT(texts(use_table(three(), use, {})),
              ElementsAre("large 1 3.00", "(2 more) 2 3.00", "total 3 6.00"));
  use.has_sums = false;
  EXPECT_THAT(texts(use_table(three(), use, {})), ElementsAre("large 1 3.00"));
}

TEST(UseTable, NamesUsersIfTheyAreKnown) {
  UseView use;
  use.user_name = [](std::uint64_t uid) { return uid == 0 ? "root" : ""; };
  use.columns = {UseColumn::kUser, UseColumn::kProcesses};
  use.sort = UseColumn::kUser;
  EXPECT_THAT(texts(use_table(three(UseGrouping::kUser), use, {})),
              ElementsAre("1000 2", "root 1", "total 3"));
}

TEST(UseTable, HasNoProportionIfPagesAreNotListed) {
  MemoryUses uses;
  Process unlisted = process("sh", 7, kMib);
  unlisted.areas[0].tally.has_unlisted = true;
  uses.on_process(unlisted);
  EXPECT_THAT(texts(use_table(uses, {}, {})),
              ElementsAre("7 0 sh 1.00 - 1.00 0.00", "- - total 1.00 - 1.00 0.00"));
}

TEST(UseChart, HasBarsOfOwnAndSharedPages) {
  const BarChart chart = use_chart(three(), {}, {});
  ASSERT_EQ(chart.groups.size(), 3u);
  EXPECT_EQ(chart.groups[0].label, "large (7)");
  EXPECT_THAT(chart.groups[0].bars[0], ElementsAre(3 * kMib, 0u, 0u));
}

}  // namespace
}  // namespace physmem
