// SPDX-License-Identifier: MIT
// Memory of processes that grows.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "fleet/sql/sql_text.h"
#include "fleet/store/growth_columns.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::HasSubstr;

using LeaksTest = StoreTest;

TEST_F(LeaksTest, FitsALineThroughProcessSizes) {
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < 5; ++i) {
    reports.push_back(unit_report("a", i * 1800, 4));
    reports.back().of(FactTable::kNames) = {
        {{"leak", "/s"}, {1, 1048576 + i * 512000, {}, 9999999, 2048, 0, 0, 0}},
        {{"still", "/s"}, {1, 4096, {}, 4096, 0, 0, 0, 0}}};
  }
  add(reports);
  const Table table = ask({.question = "leaks"});
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(cells(table.rows[0]),
            "host-a,leak,/s,5,2026-11-21T00:00:00Z,2.00,1050624,2074624,3098624,1024000,2048000,"
            "100.00,medium,a,");
  EXPECT_THAT(table.head.title, HasSubstr(": 1 of 2 series with three snapshots or more"));
  const Table all = ask({.question = "leaks", .is_full = true});
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_EQ(cells(all.rows[1]),
            "host-a,still,/s,5,2026-11-21T00:00:00Z,2.00,4096,4096,4096,0,0,0.00,,small,a,");
  EXPECT_THAT(all.head.title, HasSubstr(": 2 series with three snapshots or more, 1 grow"));
}

TEST_F(LeaksTest, FitsALineThroughTheSizesOfTheLargestMachines) {
  std::vector<Report> reports;
  for (std::uint64_t i = 0; i < 100; ++i) {
    reports.push_back(unit_report("a", i * 300, 4));
    const std::uint64_t bytes = (std::uint64_t{1} << 46) + (i << 32);
    reports.back().of(FactTable::kNames) = {
        {{"large", "/s"}, {1, bytes, {}, bytes, 0, bytes, 0, 0}},
        {{"even", "/s"}, {1, bytes - (i << 32), {}, bytes, 0, bytes, 0, 0}}};
  }
  add(reports);
  const Table table = ask({.question = "leaks", .is_full = true});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(cells(table.rows[0]), HasSubstr(",51539607552,425201762304,100.00,high,"));
  EXPECT_THAT(cells(table.rows[1]), HasSubstr(",0,0,0.00,,small,"));
}

/// The words between the first SELECT and FROM of a text.
std::vector<std::string> selected_columns(std::string_view sql) {
  const std::size_t begin = sql.find("\nSELECT ") + 8;
  std::string list(sql.substr(begin, sql.find("\nFROM", begin) - begin));
  std::replace(list.begin(), list.end(), ',', ' ');
  std::istringstream words(list);
  return {std::istream_iterator<std::string>(words), {}};
}

TEST(LeaksQuestion, HasTheColumnsThatAreRead) {
  EXPECT_THAT(selected_columns(sql_text("clickhouse", "leaks")),
              testing::ElementsAreArray(growth::kNames));
}

}  // namespace
}  // namespace physmem::fleet
