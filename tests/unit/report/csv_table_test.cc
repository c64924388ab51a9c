// SPDX-License-Identifier: MIT
// Checks the output with libcsv, an independent reader.
#include <csv.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "analyzer/report/table_writer.h"
#include "program/printable.h"

namespace physmem {
namespace {

using Kind = Column::Kind;
using Rows = std::vector<std::vector<std::string>>;

std::string csv_of(const Table& table, const CsvStyle& style = {}) {
  std::ostringstream out;
  csv_table_writer(out, style)->write(table);
  return out.str();
}

Rows read_back(const std::string& csv) {
  struct Reader {
    Rows rows;
    std::vector<std::string> row;
  } reader;
  csv_parser parser;
  EXPECT_EQ(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
  const auto on_field = [](void* text, std::size_t size, void* to) {
    static_cast<Reader*>(to)->row.emplace_back(static_cast<const char*>(text), size);
  };
  const auto on_row = [](int, void* to) {
    auto& into = *static_cast<Reader*>(to);
    into.rows.push_back(std::exchange(into.row, {}));
  };
  EXPECT_EQ(csv_parse(&parser, csv.data(), csv.size(), on_field, on_row, &reader), csv.size())
      << csv_strerror(csv_error(&parser));
  EXPECT_EQ(csv_fini(&parser, on_field, on_row, &reader), 0) << csv_strerror(csv_error(&parser));
  csv_free(&parser);
  return reader.rows;
}

Table texts(const Rows& rows) {
  Table table;
  table.head.columns.assign(rows.front().size(), Column{"", Kind::kText});
  for (const auto& row : rows) table.rows.emplace_back(row.begin(), row.end());
  return table;
}

TEST(CsvTable, WritesFigure2OfThePaper) {
  const Table table{
      .head = {.name = "basic",
               .title = "not in CSV",
               .columns = {{"Name", Kind::kText}, {"RW Count"}, {"RX Count"}, {"Lib .bss"}},
               .is_figure_2 = true},
      .rows = {{"init", std::uint64_t{24}, std::uint64_t{130}, std::uint64_t{5}},
               {"swapper", std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}}},
      .notes = {"not in CSV either"}};
  EXPECT_EQ(csv_of(table),
            "Name, RW Count, RX Count, Lib .bss\n"
            "init, 24, 130, 5\n"
            "swapper, 0, 0, 0\n");
}

TEST(CsvTable, HasNoBlankAfterAComma) {
  EXPECT_EQ(csv_of({.head = {.name = "", .title = "", .columns = {{"A"}, {"B", Kind::kText}}},
                    .rows = {{std::uint64_t{1}, "init"}}}),
            "A,B\n1,init\n");
}

constexpr const char* kQuoted = R"("b,c","say ""hi"""," blank first")";

TEST(CsvTable, QuotesOnlyFieldsThatRequireIt) {
  EXPECT_EQ(csv_of(texts({{"b,c", "say \"hi\"", " blank first", "in the middle"}})),
            std::string(kQuoted) + ",in the middle\n");
}

TEST(CsvTable, PutsNoBlankBeforeAQuoteInFigure2) {
  Table table = texts({{"b,c", "say \"hi\"", " blank first", "in the middle"}});
  table.head.is_figure_2 = true;
  EXPECT_EQ(csv_of(table), std::string(kQuoted) + ", in the middle\n");
}

TEST(CsvTable, IsUtf8WithoutControlsAndKeepsFormulas) {
  EXPECT_EQ(csv_of(texts({{"\xFF\x01", "two\nlines", "\\001", "=1+1"}})),
            "\\377\\001,two\\012lines,\\134001,=1+1\n");
}

TEST(CsvTable, EscapesControlsAndStrayBytesForATerminal) {
  EXPECT_EQ(
      csv_of(texts({{"\x1b[2J", "two\nlines", "\xFF", "\xC2\x9B", "é"}}), {.for_terminal = true}),
      R"(\033[2J,two\012lines,\377,\302\233,é)"
      "\n");
}

TEST(CsvTable, PutsAnApostropheBeforeFormulasForASpreadsheet) {
  EXPECT_EQ(csv_of(texts({{"=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "a=1", "'a", ""}}),
                   {.for_spreadsheet = true}),
            "'=1+1,'+1,'-1,'@A1,\\011=1,\\015=1,a=1,''a,\n");
}

TEST(CsvTable, CountsItsLines) {
  std::uint64_t lines = 0;
  Table table = texts({{"a"}, {"b"}});
  csv_of(table, {.lines = &lines});
  EXPECT_EQ(lines, 2U) << "no titles";
  std::ostringstream out;
  const auto writer = csv_table_writer(out, {.lines = &lines});
  writer->begin({.name = "", .title = "", .columns = {{"N"}, {"A"}}});
  writer->prepared_rows({0, 1, 1'048'576}, writer->prepare({Cell(), std::uint64_t{1}}));
  EXPECT_EQ(lines, 2U + 1 + 1'048'576);
  EXPECT_EQ(sheet_note("the table x", 1'048'576), "");
  EXPECT_EQ(sheet_note("the table x", 1'048'577),
            "the table x has 1048577 lines: a spreadsheet reads only the first 1048576");
}

TEST(CsvTable, KeepsNumbersForASpreadsheet) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"A"}}}, .rows = {{-0.5}}};
  EXPECT_EQ(csv_of(table, {.for_spreadsheet = true}), "A\n-0.50\n");
}

TEST(CsvTable, LeavesUnknownCellsEmpty) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"A"}, {"B"}, {"C"}}},
                    .rows = {{{}, std::uint64_t{2}, {}}, {0.5}}};
  EXPECT_EQ(csv_of(table), "A,B,C\n,2,\n0.50,,\n");
}

TEST(CsvTable, KeepsARowWhoseOnlyFieldIsEmpty) {
  const Rows rows = {{"a"}, {""}, {"b"}};
  EXPECT_EQ(csv_of(texts(rows)), "a\n\"\"\nb\n");
  EXPECT_EQ(read_back(csv_of(texts(rows))), rows);
}

TEST(CsvTable, WritesHexadecimalAsInThePaper) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"Address", Kind::kHex}}},
                    .rows = {{std::uint64_t{0x18D000}}}};
  EXPECT_EQ(csv_of(table), "Address\n0X0018D000\n");
}

TEST(CsvTable, IsReadBackUnchangedForAnyFields) {
  std::mt19937 random(2004);
  const std::string alphabet = "ab ,,\"\"\n\r\t=\\'\xC3\xA9\xFF";
  for (int round = 0; round < 2000; ++round) {
    Rows rows(1 + random() % 4, std::vector<std::string>(1 + random() % 5));
    for (auto& row : rows) {
      row.resize(rows.front().size());
      for (auto& field : row)
        for (std::size_t n = random() % 6; n > 0; --n)
          field += alphabet[random() % alphabet.size()];
    }
    const std::string csv = csv_of(texts(rows));
    for (auto& row : rows)
      for (auto& field : row) field = for_export(field);
    ASSERT_EQ(read_back(csv), rows) << csv;
  }
}

}  // namespace
}  // namespace physmem
