// SPDX-License-Identifier: MIT
// Slab caches as tables with few rows, growth, and bars.
#include "analyzer/shape/slab_shape.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem {
namespace {

using testing::ElementsAre;

/// A snapshot with these pages of caches "a", "b", "c" … by the kernel's count.
void add(SlabUse& slab, std::uint64_t second, const std::vector<std::uint64_t>& pages,
         bool has_objects = false) {
  Header header;
  header.ram = Header::Ram::kTotals;
  header.time_ns = header.uptime_ns = second * 1'000'000'000;
  slab.on_header(header);
  const auto count = [&](const char* what, std::size_t cache, std::uint64_t value) {
    const std::string name = fmt::format("{}.{}", what, static_cast<char>('a' + cache));
    const Counter counter{name, value};
    slab.on_counters({&counter, 1});
  };
  for (std::size_t i = 0; i < pages.size(); ++i) {
    count("slab", i, pages[i]);
    if (!has_objects) continue;
    count("slab_slabs", i, pages[i]);
    count("slab_objects", i, pages[i] * 4);
    count("slab_active", i, pages[i]);
    count("slab_object_bytes", i, 1024);
  }
}

/// The cells of a column, as numbers.
std::vector<double> column(const Table& table, std::size_t at) {
  std::vector<double> cells;
  for (const auto& row : table.rows) {
    const auto* const whole = std::get_if<std::uint64_t>(&row[at]);
    const auto* const real = std::get_if<double>(&row[at]);
    const auto* const change = std::get_if<SizeChange>(&row[at]);
    cells.push_back(whole != nullptr  ? static_cast<double>(*whole)
                    : real != nullptr ? *real
                    : change != nullptr
                        ? static_cast<double>(change->after) - static_cast<double>(change->before)
                        : -1);
  }
  return cells;
}

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> cells;
  for (const auto& row : table.rows) cells.push_back(std::get<std::string>(row[0]));
  return cells;
}

TEST(SlabTable, SumsUpWhatFollowsTheLargest) {
  SlabUse slab;
  add(slab, 1, {10, 40, 30, 20}, true);
  const Table table = slab_table(slab, {}, 2);
  EXPECT_THAT(names(table), ElementsAre("b", "c", "(2 smaller caches)", "total"));
  EXPECT_THAT(column(table, 1), ElementsAre(40, 30, 30, 100));
  EXPECT_THAT(column(table, 5), ElementsAre(160, 120, 120, 400));
  EXPECT_THAT(column(table, 7), ElementsAre(25, 25, 25, 25));
  EXPECT_THAT(names(slab_table(slab, {}, 4)), ElementsAre("b", "c", "d", "a", "total"));
}

TEST(SlabTable, HasNoSumOfNumbersThatACacheLacks) {
  SlabUse slab;
  add(slab, 1, {10, 40});
  EXPECT_THAT(column(slab_table(slab, {}, 9), 6), ElementsAre(-1, -1, -1));
}

TEST(SlabGrowthTable, HasTheLargestChangeFirstAndARate) {
  SlabUse slab;
  add(slab, 0, {1000, 512, 10});
  add(slab, 1800, {1000, 0, 522});
  const Table table = slab_growth_table(slab, {}, 2);
  EXPECT_THAT(names(table), ElementsAre("c", "b", "(1 other cache)", "total"));
  EXPECT_THAT(column(table, 1), ElementsAre(10, 512, 1000, 1522));
  EXPECT_THAT(column(table, 2), ElementsAre(522, 0, 1000, 1522));
  EXPECT_THAT(column(table, 3), ElementsAre(512, -512, 0, 0));
  EXPECT_THAT(column(table, 4), ElementsAre(1024, -1024, 0, 0)) << "in 1,800 s";
}

TEST(SlabChart, DividesPagesIntoUsedAndUnused) {
  SlabUse slab;
  add(slab, 1, {8}, true);
  const BarChart known = slab_chart(slab, {}, 1);
  EXPECT_THAT(known.groups.front().bars.front(), ElementsAre(2, 6, 0));
  add(slab, 2, {8});
  EXPECT_THAT(slab_chart(slab, {}, 1).groups.front().bars.front(), ElementsAre(0, 0, 8));
}

TEST(SlabChart, SumsUpTheCachesThatItHasNoRoomFor) {
  SlabUse slab;
  add(slab, 1, {8, 4, 2}, true);
  const BarChart chart = slab_chart(slab, {}, 1);
  ASSERT_EQ(chart.groups.size(), 2U);
  EXPECT_EQ(chart.groups[1].label, "(2 more)");
  const std::vector<std::uint64_t>& rest = chart.groups[1].bars.front();
  EXPECT_EQ(rest[0] + rest[1] + rest[2], 6U);
  EXPECT_THAT(chart.subtitle, testing::EndsWith(": 56 KiB in all"));
}

using Points = std::vector<std::pair<double, double>>;
constexpr double kPages = 256;  ///< in a MiB

TEST(SlabGrowthSeries, DrawsTheCachesThatChangedMostOverTime) {
  SlabUse slab;
  add(slab, 100, {1000, 512, 10});
  add(slab, 160, {1000, 300, 20});
  add(slab, 190, {1000, 0, 622});
  const Series series = slab_growth_series(slab, {});
  EXPECT_EQ(series.title, "Growth of slab caches over 3 snapshots");
  EXPECT_EQ(series.x_title, "seconds since the first snapshot");
  const auto& lines = series.panels.at(0).lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].label, "c");
  EXPECT_EQ(lines[0].points, (Points{{0, 10 / kPages}, {60, 20 / kPages}, {90, 622 / kPages}}));
  EXPECT_EQ(lines[1].points, (Points{{0, 512 / kPages}, {60, 300 / kPages}, {90, 0}}));
  EXPECT_EQ(series.notes.at(0), "(1 other cache): not drawn");
}

TEST(SlabGrowthSeries, NumbersSnapshotsWithoutTimes) {
  SlabUse slab;
  for (const std::uint64_t pages : {3, 5, 9}) add(slab, 100, {pages});
  const Series series = slab_growth_series(slab, {});
  EXPECT_EQ(series.x_title, "snapshot");
  EXPECT_EQ(series.panels.at(0).lines.at(0).points,
            (Points{{0, 3 / kPages}, {1, 5 / kPages}, {2, 9 / kPages}}));
}

}  // namespace
}  // namespace physmem
