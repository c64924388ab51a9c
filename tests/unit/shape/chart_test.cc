// SPDX-License-Identifier: MIT
// Rows as bars: figures 3 and 6 (I13, I16). The tests in ../report cover how they are drawn.
#include <gtest/gtest.h>

#include <set>

#include "analyzer/shape/basic_shape.h"
#include "analyzer/shape/totals_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using Values = std::vector<std::vector<std::uint64_t>>;

constexpr std::string_view kThree = R"(
kernel kswapd0 52
process small 1
400000-409000 r-xpX 0 10 /bin/small : f1
process large 2
400000-403000 r-xpX 0 11 /bin/large : f1 f1 f1
403000-405000 rw-pX 3000 11 /bin/large : a1
)";

TEST(BasicChart, HasABarPerProcessWithMemoryLargestFirst) {
  Basic basic;
  fold(maps_snapshot(kThree), {&basic});
  const BarChart chart = basic_chart(basic.rows(), {});
  EXPECT_EQ(chart.series, (std::vector<std::string>{"Stack", ".Data", ".Text", "Heap", "Lib .bss",
                                                    "Lib .data", "Lib .text"}));
  EXPECT_EQ(chart.bar_titles, std::vector<std::string>{"physical"});
  ASSERT_EQ(chart.groups.size(), 2u);
  EXPECT_TRUE(chart.groups[0].label.starts_with("large")) << chart.groups[0].label;
  EXPECT_EQ(chart.groups[0].bars, (Values{{0, 1, 3, 0, 0, 0, 0}}));
}

TEST(BasicChart, ShowsPhysicalNextToVirtualPages) {
  Basic basic;
  fold(maps_snapshot(kThree), {&basic});
  View view;
  view.is_virtual = true;
  const BarChart chart = basic_chart(basic.rows(), view);
  EXPECT_EQ(chart.bar_titles, (std::vector<std::string>{"physical", "virtual"}));
  ASSERT_EQ(chart.groups.size(), 2u);
  EXPECT_TRUE(chart.groups[0].label.starts_with("small"));
  EXPECT_EQ(chart.groups[0].bars, (Values{{0, 0, 1, 0, 0, 0, 0}, {0, 0, 9, 0, 0, 0, 0}}));
}

TEST(TotalsChart, HasABarPerMappedObject) {
  UnitTotals totals;
  fold(maps_snapshot(kThree), {&totals});
  const BarChart chart = totals_chart(totals.rows(), {});
  EXPECT_EQ(chart.series, (std::vector<std::string>{".bss", ".data", ".text"}));
  ASSERT_EQ(chart.groups.size(), 2u);
  EXPECT_EQ(chart.groups[0].label, "/bin/large");
  EXPECT_EQ(chart.groups[0].bars, (Values{{0, 1, 3}}));
}

constexpr const char* kPrivateData = R"(
process a 1
10000000-10004000 r-xp 0 20 /lib/a.so : f3@10 f3@11 . .
10004000-10006000 rw-p 4000 20 /lib/a.so : a1@1 a1@2
process b 2
10000000-10004000 r-xp 0 20 /lib/a.so : f3@10 f3@11 f1@12 .
10004000-10006000 rw-p 4000 20 /lib/a.so : a1@3 a1@4
process c 3
10000000-10004000 r-xp 0 20 /lib/a.so : f3@10 f3@11 . .
10004000-10006000 rw-p 4000 20 /lib/a.so : a1@5 a1@6
)";

TEST(TotalsChart, ComparesResidentAndVirtualPagesOfOneProcess) {
  UnitTotals totals;
  fold(maps_snapshot(kPrivateData), {&totals});
  View view;
  view.is_virtual = true;
  const BarChart chart = totals_chart(totals.rows(), view);
  EXPECT_EQ(chart.bar_titles, (std::vector<std::string>{"resident", "virtual"}));
  ASSERT_EQ(chart.groups.size(), 1u);
  EXPECT_EQ(chart.groups[0].bars, (Values{{0, 2, 3}, {0, 2, 4}}))
      << "the six frames of data belong to three processes";
  const Table table = totals_table(totals.rows(), view);
  EXPECT_EQ(table.head.columns.back().title, "Resident");
  EXPECT_EQ(table.rows.at(0).back(), Cell(std::uint64_t{5}));
}

TEST(TotalsTable, DistinguishesTwoFilesWithTheSamePath) {
  UnitTotals totals;
  fold(maps_snapshot(R"(
process a 1
10000000-10001000 r-xp 0 20 /lib/a.so : f1@10
process b 2
20000000-20001000 r-xp 0 21 /lib/a.so : f1@12
30000000-30001000 r-xp 0 22 /lib/b.so : f1@13
)"),
       {&totals});
  std::set<std::string> names;
  for (const auto& row : totals_table(totals.rows(), {}).rows)
    names.insert(std::get<std::string>(row.at(0)));
  EXPECT_EQ(names.size(), 3u);
  EXPECT_TRUE(names.contains("/lib/b.so"));
  EXPECT_TRUE(names.begin()->starts_with("/lib/a.so (device ")) << *names.begin();
}

TEST(TotalsTable, OmitsTheDeviceOfAFileWithoutInode) {
  UnitTotals totals;
  fold(maps_snapshot(R"(
process a 1
10000000-10001000 r-xp 0 7 /a.so : f1
20000000-20001000 r-xp 0 0 /a.so : f1
)"),
       {&totals});
  std::set<std::string> names;
  for (const auto& row : totals_table(totals.rows(), {}).rows)
    names.insert(std::get<std::string>(row.at(0)));
  EXPECT_EQ(names, (std::set<std::string>{"/a.so", "/a.so (device 254:0, inode 7)"}));
}

TEST(TotalsTable, IsUnknownWithoutListedPages) {
  UnitTotals totals;
  fold(maps_snapshot(kThree), {&totals});
  View view;
  view.header.has_pages = false;
  const Table table = totals_table(totals.rows(), view);
  EXPECT_EQ(table.rows.at(0), (std::vector<Cell>{"/bin/large", {}, {}, {}, {}}));
  view.is_virtual = true;
  EXPECT_EQ(totals_table(totals.rows(), view).rows.at(0).at(4), Cell(std::uint64_t{5}))
      << "virtual sizes are known";
}

}  // namespace
}  // namespace physmem
