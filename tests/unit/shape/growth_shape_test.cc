// SPDX-License-Identifier: MIT
// --ask diff as tables for people.
#include "analyzer/shape/growth_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analyzer/report/sized_table.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// A process with a heap of so many pages.
std::string with_heap(const char* name, int pid, int pages) {
  std::string text = fmt::format("process {} {}\n1000-100000 rw-p 0 0 [heap] :", name, pid);
  for (int i = 0; i < pages; ++i) text += fmt::format(" a1@{:X}", pid * 0x100 + i);
  return text + '\n';
}

/// All tables but the totals.
std::string growth(const std::string& before, const std::string& after, const UseView& use,
                   View view = {}) {
  SnapshotDiff diff;
  fold(maps_snapshot(before), {&diff});
  fold(maps_snapshot(after), {&diff});
  view.header = diff.header_after();
  std::ostringstream out;
  out << '\n';
  const std::vector<Table> tables = growth_tables(diff, use, view);
  const auto writer = sized_table_writer(text_table_writer(out),
                                         {use.unit.value_or(SizeUnit::kMib), view.header.page_size},
                                         UnitPlace::kTitle);
  for (std::size_t i = 1; i < tables.size(); ++i) writer->write(tables[i]);
  return out.str();
}

UseView in_pages() {
  UseView use;
  use.unit = SizeUnit::kPages;
  return use;
}

TEST(Growth, SortsWhatGrewBeforeWhatShrank) {
  EXPECT_EQ(growth(with_heap("same", 1, 5) + with_heap("shrank", 2, 9) + with_heap("grew", 3, 2) +
                       with_heap("more", 4, 1),
                   with_heap("same", 1, 5) + with_heap("shrank", 2, 1) + with_heap("grew", 3, 4) +
                       with_heap("more", 4, 6),
                   in_pages()),
            R"(
Processes: growth (pages)
PID  Command   State   Change  Before  After  Gained  Lost  Swap
  4  more      stayed      +5       1      6       5     0     0
  3  grew      stayed      +2       2      4       2     0     0
  2  shrank    stayed      -8       9      1       0     8     0
  -  (1 more)               0       5      5       0     0     0
  -  total                 -1      17     16       7     8     0

Files, over all processes: growth (pages)
Change  Before  After  Gained  Lost  Swap  Distinct  File
    -1      17     16       7     8     0        -1  heap
    -1      17     16       7     8     0        -1  total
)");
}

TEST(Growth, AddsUpProcessesByCommand) {
  UseView use = in_pages();
  use.group = UseGrouping::kName;
  const std::string text = growth(with_heap("web", 1, 5) + with_heap("web", 2, 3),
                                  with_heap("web", 1, 6) + with_heap("db", 3, 2), use);
  EXPECT_EQ(text.substr(0, text.find("\nFiles")), R"(
Processes: growth (pages)
Command  Processes  Change  Before  After  Gained  Lost  Swap
db               1      +2       0      2       2     0     0
web              2      -2       8      6       1     3     0
total            3       0       8      8       3     3     0
)");
}

TEST(Growth, NamesThePartsOfRamThatChanged) {
  TotalsDiff diff;
  const auto totals_of = [&](std::uint64_t free, std::uint64_t anon, std::uint64_t slab) {
    diff.on_header({});
    diff.on_counters(std::vector<Counter>{{"mem.MemTotal_kB", 100'000},
                                          {"mem.MemFree_kB", free},
                                          {"mem.AnonPages_kB", anon},
                                          {"mem.Slab_kB", slab}});
  };
  totals_of(50'000, 10'000, 5'000);
  EXPECT_TRUE(diff.parts().empty());
  totals_of(20'000, 10'100, 30'000);
  EXPECT_THAT(totals_growth(diff),
              testing::ElementsAre("RAM by the kernel's totals: kernel +24.4 MiB, other +4.8 MiB,",
                                   "  anonymous +100 KiB, free -29.3 MiB"));
}

TEST(Growth, AddsUpTheRowsThatAreNotAmongTheFirst) {
  UseView use = in_pages();
  use.top = 1;
  EXPECT_THAT(
      growth(with_heap("a", 1, 1) + with_heap("b", 2, 1),
             with_heap("a", 1, 3) + with_heap("b", 2, 2), use),
      testing::HasSubstr("  1  a         stayed      +2       1      3       2     0     0\n"
                         "  -  (1 more)              +1       1      2       1     0     0\n"
                         "  -  total                 +3       2      5       3     0     0\n"));
}

TEST(Growth, HasTheUnitOfTheUser) {
  UseView use;
  const std::string before = with_heap("a", 1, 1), after = with_heap("a", 1, 129);
  EXPECT_THAT(growth(before, after, use), testing::HasSubstr(" +0.50    0.00   0.50 "));
  use.unit = SizeUnit::kKib;
  EXPECT_THAT(growth(before, after, use), testing::HasSubstr(" +512       4    516 "));
}

TEST(Growth, ListsAreasOnlyOnRequest) {
  View view;
  EXPECT_THAT(growth(with_heap("a", 1, 1), with_heap("a", 1, 2), {}, view),
              testing::Not(testing::HasSubstr("Areas")));
  view.is_full = true;
  EXPECT_THAT(growth(with_heap("a", 1, 1), with_heap("a", 1, 2), in_pages(), view),
              testing::HasSubstr("  1  a        0x00001000  stayed  heap        +1"));
}

}  // namespace
}  // namespace physmem
