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

TEST(TextTable, ShortensNamesAndKeepsTheFileNameOnANarrowTerminal) {
  Column name{"Name", Kind::kText};
  name.is_shortened = true;
  const Table table{
      .head = {.name = "x", .title = "", .columns = {name, {"Pages"}}},
      .rows = {{"/usr/lib/libssl.so.3", std::uint64_t{4}}, {"/bin/sh", std::uint64_t{100000}}}};
  EXPECT_EQ(text_in(24, table), R"(
Name               Pages
…/libssl.so.3          4
/bin/sh           100000
)");
  EXPECT_EQ(text_in(16, table), R"(
Name       Pages
libs…o.3       4
/bin/sh   100000
)");
  EXPECT_EQ(text_in(9, table), R"(
Name
libs…so.3
/bin/sh
left out:
  Pages
  (termin
  al too
  narrow)
)") << "a name has eight columns or more";
  EXPECT_EQ(text_in(0, table), text_in(80, table));
}

/// Of two columns that the table can spare, and a text that is not a name.
Table wide_table() {
  TableHead head{
      .name = "x",
      .title = "Faults of each process",
      .columns = {
          {"Name", Kind::kText}, {"State", Kind::kText}, {"Faults"}, {"L ms"}, {"Share %"}}};
  head.columns.front().is_shortened = true;
  head.spare = {"L ms", "Share %"};
  return {.head = head,
          .rows = {{"/usr/bin/python3", "thrashing", std::uint64_t{4}, 1.0, 99.0}},
          .notes = {"1 process had no faults"}};
}

TEST(TextTable, LeavesOutColumnsOnANarrowTerminal) {
  EXPECT_EQ(text_in(45, wide_table()), R"(
Faults of each process
Name         State      Faults  L ms  Share %
…/python3    thrashing       4  1.00    99.00
1 process had no faults
)");
  EXPECT_EQ(text_in(30, wide_table()), R"(
Faults of each process
Name         State      Faults
…/python3    thrashing       4
1 process had no faults
left out: L ms, Share %
  (terminal too narrow)
)");
}

TEST(TextTable, ShowsDifferentFilesDifferently) {
  Column name{"Name", Kind::kText};
  name.is_shortened = true;
  const Table table{.head = {.name = "x", .title = "", .columns = {{"Pages"}, name}},
                    .rows = {{std::uint64_t{4}, "/usr/lib/one/two/libc.so.6"},
                             {std::uint64_t{3}, "/var/lib/one/two/libc.so.6"},
                             {std::uint64_t{2}, "/usr/lib/one/two/libm.so.6"}}};
  EXPECT_EQ(text_in(25, table), R"(
Pages  Name
    4  /usr/li…/libc.so.6
    3  /var/li…/libc.so.6
    2  …/two/libm.so.6
)");
}

TEST(TextTable, LeavesOutIdleColumnsBeforeNamesAreShortenedAndNeverTheOrder) {
  Column name{"Name", Kind::kText};
  name.is_shortened = true;
  TableHead head{.name = "x", .title = "", .columns = {{"PID"}, name, {"PSS"}, {"Swap"}}};
  head.spare = {"Swap", "PSS", "PID"};
  head.kept = "PSS";
  head.idle = {"Swap"};
  const Table table{head, {{std::uint64_t{4711}, "/usr/bin/python3", 4.0, 0.0}}};
  EXPECT_EQ(text_in(28, table), R"(
 PID  Name               PSS
4711  /usr/bin/python3  4.00
left out: Swap (terminal too
  narrow)
)");
  EXPECT_EQ(text_in(18, table), R"(
Name           PSS
…/python3     4.00
left out: PID,
  Swap (terminal
  too narrow)
)");
}

TEST(TextTable, LeavesOutNumbersBeforeTextsFromTheRight) {
  Table table = wide_table();
  table.head.spare.clear();
  table.notes.clear();
  EXPECT_EQ(text_in(33, table), R"(
Faults of each process
Name      State      Faults  L ms
python3   thrashing       4  1.00
left out: Share % (terminal too
  narrow)
)");
}

TEST(TextTable, FitsRowsThatWereNotMeasured) {
  std::ostringstream out;
  const auto writer = text_table_writer(out, 20);
  writer->begin({.name = "", .title = "", .columns = {{"N"}, {"Name", Kind::kText}}});
  for (std::size_t i = 0; i <= kMeasuredRows; ++i) writer->row({std::uint64_t{10}, "a long name"});
  writer->row({std::uint64_t{7}, "a very long name"});
  writer->row({std::uint64_t{123456789}, "a very long name"});
  const std::size_t number = writer->prepare({Cell(), "prepared, with a name"});
  writer->prepared_rows({8, 1, 1}, number);
  writer->end();
  EXPECT_TRUE(out.str().ends_with("\n 7  a ver… name\n123456789 …ver… name\n 8  prepa… name\n"))
      << out.str().substr(out.str().size() - 100);
}

TEST(TextTable, WritesAddressesInLowerCaseOnATerminal) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"Start", Kind::kHex}}},
                    .rows = {{std::uint64_t{0x7FABCDEF0000}}}};
  EXPECT_EQ(text_in(80, table), "\nStart\n0x7fabcdef0000\n");
  EXPECT_EQ(text_of(table), "\nStart\n0X7FABCDEF0000\n") << "the paper's form";
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

TEST(TextTable, IsolatesNamesFromRightToLeftOnATerminal) {
  const Table table{.head = {.name = "", .title = "", .columns = {{"Name", Kind::kText}, {"N"}}},
                    .rows = {{"\u05d0\u05d1", std::uint64_t{1}}, {"init", std::uint64_t{22}}}};
  EXPECT_EQ(text_in(80, table), "\nName   N\n\u2068\u05d0\u05d1\u2069     1\ninit  22\n");
  EXPECT_EQ(text_in(0, table), "\nName   N\n\u05d0\u05d1     1\ninit  22\n");
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
