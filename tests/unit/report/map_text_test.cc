// SPDX-License-Identifier: MIT
#include "analyzer/report/map_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace physmem {
namespace {

using Lines = std::vector<PageMap::Line>;

std::string map_in(std::size_t columns, const Lines& lines) {
  std::ostringstream out;
  out << '\n';
  MapText text(out, columns);
  for (const PageMap::Line& line : lines) text.line(line);
  text.end();
  return out.str();
}

std::string cells(char cell, std::size_t count) {
  std::string text(64, ' ');
  text.replace(0, count, count, cell);
  return text;
}

/// Of one area: `full` lines of '2', then some pages of another.
Lines area(std::size_t full) {
  Lines lines;
  for (std::size_t i = 0; i < full; ++i)
    lines.push_back({0x7F0000000000 + i * 0x40000, cells('2', 64)});
  lines.push_back({0x7F0000000000 + full * 0x40000, cells('1', 3)});
  return lines;
}

TEST(MapText, WritesTheFormOfThePaperToAFile) {
  EXPECT_EQ(map_in(0, area(1)), R"(
    7F0000000000 |2222222222222222222222222222222222222222222222222222222222222222|
    7F0000040000 |111                                                             |
)");
}

TEST(MapText, FoldsEqualFullLinesOnATerminal) {
  EXPECT_EQ(map_in(80, area(200)), R"(
 7F0000000000 |2222222222222222222222222222222222222222222222222222222222222222|
 7F0000040000  … 199 more lines of 64 pages: 2
 7F0003200000 |111|
)");
  EXPECT_EQ(map_in(80, area(2)), R"(
 7F0000000000 |2222222222222222222222222222222222222222222222222222222222222222|
 7F0000040000 |2222222222222222222222222222222222222222222222222222222222222222|
 7F0000080000 |111|
)") << "one line is shorter than a sentence";
}

TEST(MapText, SaysHowOftenALineOfDifferentCellsFollows) {
  const std::string both = cells('2', 32).substr(0, 32) + cells('1', 32).substr(0, 32);
  EXPECT_EQ(map_in(80, {{0, both}, {0x40000, both}, {0x80000, both}}), R"(
 00000000 |2222222222222222222222222222222211111111111111111111111111111111|
 00040000  … 2 more lines of 64 pages like this
)");
}

TEST(MapText, WritesAsManyCellsAsTheTerminalHasRoomFor) {
  EXPECT_EQ(map_in(120, area(2)), "\n 7F0000000000 |" + std::string(96, '2') +
                                      "|\n 7F0000060000 |" + std::string(32, '2') + "111|\n");
  EXPECT_EQ(map_in(40, {{0xFFFFFFFFFF600000, cells('0', 17)}}), R"(
 FFFFFFFFFF600000 |0000000000000000|
 FFFFFFFFFF610000 |0|
)");
}

TEST(MapText, StartsAnotherLineAfterAGap) {
  PageMap::Line gap{0x40000, "", 2048};
  EXPECT_EQ(map_in(80, {{0, cells('1', 64)}, gap, {0x840000, cells('1', 64)}}), R"(
 00000000 |1111111111111111111111111111111111111111111111111111111111111111|
 00040000  … 2048 pages without a physical page …
 00840000 |1111111111111111111111111111111111111111111111111111111111111111|
)");
  EXPECT_EQ(map_in(80, {{0, cells('1', 1)}, {0x100000, cells('1', 1)}}), R"(
 00000000 |1|
 00100000 |1|
)");
}

}  // namespace
}  // namespace physmem
