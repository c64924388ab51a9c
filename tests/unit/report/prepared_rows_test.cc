// SPDX-License-Identifier: MIT
// Prepared rows, of which only the first cell is missing, give the same text as ordinary rows.
#include <gtest/gtest.h>

#include <sstream>

#include "analyzer/report/table_writer.h"

namespace physmem {
namespace {

using Kind = Column::Kind;
using MakeWriter = std::unique_ptr<TableWriter> (*)(std::ostream&);

constexpr std::size_t kRows = 2 * kMeasuredRows;

TableHead head() {
  return {
      "pages",
      "Pages",
      {{"Address", Kind::kHex}, {"Name", Kind::kText}, {"Count"}, {"Share"}, {"Rest", Kind::kText}},
      " | "};
}

std::vector<Cell> cells(std::uint64_t kind) {
  switch (kind) {
    case 0:
      return {std::uint64_t{0}, std::string("plain"), std::uint64_t{1}, 0.5, std::string("end")};
    case 1:
      return {std::uint64_t{0}, std::string("with, \"quotes\""), std::uint64_t{1000000}, Cell(),
              std::string()};
    default:
      return {std::uint64_t{0}, std::string(" \x1b[31m"), std::uint64_t{12}};
  }
}

std::string by_rows(MakeWriter make) {
  std::ostringstream out;
  const auto writer = make(out);
  for (int table = 0; table < 2; ++table) {
    writer->begin(head());
    for (std::size_t i = 0; i < kRows; ++i) {
      std::vector<Cell> row = cells(i % 3);
      row.front() = std::uint64_t{i * 0x1000000};
      writer->row(row);
    }
    writer->end();
  }
  return out.str();
}

std::string by_prepared_rows(MakeWriter make, std::size_t reset_interval) {
  std::ostringstream out;
  const auto writer = make(out);
  for (int table = 0; table < 2; ++table) {
    writer->begin(head());
    for (std::size_t i = 0; i < kRows; ++i) {
      if (i % reset_interval == 0) {
        writer->drop_prepared();
        for (std::size_t kind = 0; kind < 3; ++kind) EXPECT_EQ(writer->prepare(cells(kind)), kind);
      }
      writer->prepared_rows({i * 0x1000000}, i % 3);
    }
    writer->end();
  }
  return out.str();
}

TEST(PreparedRows, GiveTheSameTextAsRows) {
  const MakeWriter makers[] = {[](std::ostream& out) { return text_table_writer(out); },
                               json_table_writer,
                               [](std::ostream& out) { return csv_table_writer(out); }};
  for (const MakeWriter make : makers) {
    const std::string rows = by_rows(make);
    EXPECT_GT(rows.size(), kRows);
    EXPECT_TRUE(by_prepared_rows(make, kRows) == rows) << rows.substr(0, 300);
    EXPECT_TRUE(by_prepared_rows(make, 1000) == rows) << rows.substr(0, 300);
  }
}

/// Many rows per call, also if a number gets another digit or exceeds the width of its column.
TEST(PreparedRows, GiveTheSameTextAsRowsInBulk) {
  const MakeWriter makers[] = {[](std::ostream& out) { return text_table_writer(out); },
                               json_table_writer,
                               [](std::ostream& out) { return csv_table_writer(out); }};
  const Numbers all[] = {
      {0, 0x1000, kRows}, {0xFFFFD000, 0x1000, 6}, {0xFFFFFFFFFFFF0000, 0x1000, 16}, {7, 0, 3}};
  for (const MakeWriter make : makers) {
    std::ostringstream one_by_one;
    std::ostringstream at_once;
    const auto rows = make(one_by_one);
    const auto prepared = make(at_once);
    rows->begin(head());
    prepared->begin(head());
    for (std::size_t kind = 0; kind < 3; ++kind) prepared->prepare(cells(kind));
    for (const Numbers& numbers : all)
      for (std::size_t kind = 0; kind < 3; ++kind) {
        prepared->prepared_rows(numbers, kind);
        for (std::uint64_t i = 0; i < numbers.count; ++i) {
          std::vector<Cell> row = cells(kind);
          row.front() = numbers.begin + i * numbers.step;
          rows->row(row);
        }
      }
    rows->end();
    prepared->end();
    EXPECT_TRUE(at_once.str() == one_by_one.str()) << one_by_one.str().substr(0, 300);
  }
}

}  // namespace
}  // namespace physmem
