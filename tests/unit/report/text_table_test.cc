// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "analyzer/report/table_writer.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

std::string text_of(const Table& table) {
  std::ostringstream out;
  out << '\n';  // so that a raw string can begin on a new line
  text_table_writer(out)->write(table);
  return out.str();
}

TEST(TextTable, AlignsTextLeftAndNumbersRight) {
  const Table table{.head = {.name = "basic",
                             .title = "Pages of each process",
                             .columns = {{"Name", Kind::kText}, {"Stack"}, {"Total"}}},
                    .rows = {{"init", std::uint64_t{4}, std::uint64_t{154}},
                             {"tiny_sys", std::uint64_t{2}, std::uint64_t{99999}}}};
  EXPECT_EQ(text_of(table), R"(
Pages of each process
Name      Stack  Total
init          4    154
tiny_sys      2  99999
)");
}

std::string text_in(std::size_t columns, const Table& table) {
  std::ostringstream out;
  out << '\n';
  text_table_writer(out, columns)->write(table);
  return out.str();
}

TEST(TextTable, ShortensTheMiddleOfNamesOnANarrowTerminal) {
  Column name{"Name", Kind::kText};
  name.is_shortened = true;
  const Table table{
      .head = {.name = "x", .title = "", .columns = {name, {"Pages"}}},
      .rows = {{"/usr/lib/libssl.so.3", std::uint64_t{4}}, {"/bin/sh", std::uint64_t{100000}}}};
  EXPECT_EQ(text_in(24, table), R"(
Name               Pages
/usr/lib…sl.so.3       4
/bin/sh           100000
)");
  EXPECT_EQ(text_in(1, table), R"(
Name       Pages
/usr…o.3       4
/bin/sh   100000
)") << "no column is narrower";
  EXPECT_EQ(text_in(0, table), text_in(80, table));
}

TEST(TextTable, AlignsWideCharactersByColumns) {
  const Table table{
      .head = {.name = "basic", .title = "", .columns = {{"Name", Kind::kText}, {"Stack"}}},
      .rows = {{"日本語", std::uint64_t{4}}, {"tiny_sys", std::uint64_t{2}}}};
  EXPECT_EQ(text_of(table), R"(
Name      Stack
日本語        4
tiny_sys      2
)");
}

TEST(TextTable, WritesThePageDumpOfThePaper) {
  const Table table{.head = {.name = "pages",
                             .title = "",
                             .columns = {{"Address", Kind::kHex},
                                         {"VMA Sym", Kind::kText},
                                         {"Count"},
                                         {"Owner", Kind::kText}},
                             .separator = " | "},
                    .rows = {{std::uint64_t{0x18D000}, "..r.x.", std::uint64_t{35}, "/lib/ld-2"},
                             {std::uint64_t{0x112345678000}, "S.rwx.", std::uint64_t{1}, "init"}}};
  EXPECT_EQ(text_of(table), R"(
Address        | VMA Sym | Count | Owner
    0X0018D000 | ..r.x.  |    35 | /lib/ld-2
0X112345678000 | S.rwx.  |     1 | init
)");
}

TEST(TextTable, ShowsUnknownAsADashAndSharesWithTwoDecimals) {
  const Table table{
      .head = {.name = "", .title = "", .columns = {{"Name", Kind::kText}, {"Share"}}},
      .rows = {{"init", 12.345},
               {"sh", {}},
               {"cat", std::numeric_limits<double>::quiet_NaN()},
               {"short row"}}};
  EXPECT_EQ(text_of(table), R"(
Name       Share
init       12.35
sh             -
cat            -
short row      -
)");
}

TEST(TextTable, NeverEndsALineWithBlanks) {
  const Table table{
      .head = {.name = "", .title = "", .columns = {{"A", Kind::kText}, {"B", Kind::kText}}},
      .rows = {{"long text", ""}, {"x", "y  "}}};
  EXPECT_EQ(text_of(table), "\nA          B\nlong text\nx          y\n");
}

TEST(TextTable, MeasuresCharactersAndEscapesNames) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"Name", Kind::kText}, {"N"}}},
                    .rows = {{"prögräm", std::uint64_t{1}}, {"a\x1b[31m", std::uint64_t{2}}}};
  EXPECT_EQ(text_of(table), R"(
Name       N
prögräm    1
a\033[31m  2
)");
}

TEST(TextTable, WritesPlainLinesWhenNoColumnHasATitle) {
  const Table table{.head = {.name = "count", .title = "", .columns = {{"", Kind::kText}}},
                    .rows = {{"User space pages: 439"}},
                    .notes = {"3 lines were dropped"}};
  EXPECT_EQ(text_of(table), R"(
User space pages: 439
3 lines were dropped
)");
}

TEST(TextTable, PutsAnEmptyLineBetweenTables) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"N"}}},
                    .rows = {{std::uint64_t{7}}}};
  std::ostringstream out;
  const auto writer = text_table_writer(out);
  writer->write(table);
  writer->write(table);
  EXPECT_EQ(out.str(), "N\n7\n\nN\n7\n");
}

TEST(TextTable, StreamsALongTableWithTheWidthsOfItsFirstRows) {
  std::ostringstream out;
  const auto writer = text_table_writer(out);
  writer->begin({.name = "", .title = "", .columns = {{"N"}, {"Name", Kind::kText}}});
  for (std::size_t i = 0; i <= kMeasuredRows; ++i) writer->row({std::uint64_t{10}, "a"});
  EXPECT_FALSE(out.str().empty()) << "the measured rows are written before the end";
  writer->row({std::uint64_t{7}, "b"});
  writer->row({std::uint64_t{12345}, "wider than the column"});
  writer->end();
  EXPECT_TRUE(out.str().ends_with("10  a\n 7  b\n12345  wider than the column\n"));
}

}  // namespace
}  // namespace physmem
