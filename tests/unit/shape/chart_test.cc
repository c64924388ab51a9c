// SPDX-License-Identifier: MIT
// Rows as bars: figures 3 and 6 (I13, I16). How they are drawn is tested in ../report.
#include <gtest/gtest.h>

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

TEST(BasicChart, HasABarForEachProcessWithMemoryTheLargestFirst) {
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

TEST(BasicChart, ShowsPhysicalBesideVirtualPages) {
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

TEST(TotalsChart, HasABarForEachUnit) {
  UnitTotals totals;
  fold(maps_snapshot(kThree), {&totals});
  const BarChart chart = totals_chart(totals.rows(), {});
  EXPECT_EQ(chart.series, (std::vector<std::string>{".bss", ".data", ".text"}));
  ASSERT_EQ(chart.groups.size(), 2u);
  EXPECT_EQ(chart.groups[0].label, "/bin/large");
  EXPECT_EQ(chart.groups[0].bars, (Values{{0, 1, 3}}));
}

TEST(TotalsTable, IsUnknownWhereNoPagesAreListed) {
  UnitTotals totals;
  fold(maps_snapshot(kThree), {&totals});
  View view;
  view.header.has_pages = false;
  const Table table = totals_table(totals.rows(), view);
  EXPECT_EQ(table.rows.at(0), (std::vector<Cell>{"/bin/large", {}, {}, {}, {}}));
  view.is_virtual = true;
  EXPECT_EQ(totals_table(totals.rows(), view).rows.at(0).at(4), Cell(std::uint64_t{5}))
      << "sizes asked for are known";
}

}  // namespace
}  // namespace physmem
