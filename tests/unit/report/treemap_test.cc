// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "analyzer/report/painter.h"
#include "analyzer/report/treemap_painter.h"
#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;

std::string svg_of(const Pictures& pictures) {
  std::ostringstream out;
  EXPECT_EQ(paint(out, PictureFormat::kSvg, pictures), "");
  return out.str();
}

// The example of the paper that introduced the layout: 6, 6, 4, 3, 2, 2, 1 in 6 x 4.
TEST(Squarified, PlacesTheExampleOfItsPaper) {
  const std::vector<Rect> places = squarified({6, 6, 4, 3, 2, 2, 1}, {0, 0, 6, 4});
  ASSERT_EQ(places.size(), 7u);
  EXPECT_NEAR(places[0].width, 3, 1e-9);
  EXPECT_NEAR(places[0].height, 2, 1e-9);
  EXPECT_NEAR(places[1].y, 2, 1e-9);
  EXPECT_NEAR(places[2].width, 12.0 / 7, 1e-9);
  EXPECT_NEAR(places[2].x, 3, 1e-9);
}

TEST(Squarified, GivesEachItsAreaInsideOfTheRoom) {
  const std::vector<double> sizes{1000, 300, 299, 12, 5, 1, 0};
  const Rect room{10, 20, 700, 400};
  const std::vector<Rect> places = squarified(sizes, room);
  ASSERT_EQ(places.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_NEAR(places[i].width * places[i].height, sizes[i] / 1617 * room.width * room.height,
                1e-6);
    EXPECT_GE(places[i].x, room.x - 1e-6);
    EXPECT_LE(places[i].x + places[i].width, room.x + room.width + 1e-6);
    EXPECT_LE(places[i].y + places[i].height, room.y + room.height + 1e-6);
  }
}

TEST(Squarified, HasNoAreaForNothing) {
  EXPECT_EQ(squarified({}, {0, 0, 10, 10}).size(), 0u);
  EXPECT_EQ(squarified({0, 0}, {0, 0, 10, 10}).size(), 2u);
}

TEST(TreemapPainter, NamesNodesAndTheirChildren) {
  Treemap map;
  map.title = "The page cache";
  map.nodes = {{"/usr", 900, {{"libc.so.6", 500}, {"libm.so.6", 300}}, "/usr: all of it"},
               {"[memfd]", 100}};
  const std::string svg = svg_of({.treemaps = {map}});
  for (const char* word : {"The page cache", "/usr", "libc.so.6", "libm.so.6", "/usr: all of it"})
    EXPECT_THAT(svg, HasSubstr(word));
}

TEST(TreemapPainter, DrawsAnEmptyMap) {
  EXPECT_THAT(svg_of({.treemaps = {{"Nothing", "", {}}}}), HasSubstr("Nothing"));
}

BlockMap block_map_of(std::size_t cells) {
  BlockMap map;
  map.title = "RAM in blocks";
  map.uses = {{"free", 0xE4ECF4}, {"file cache", 0x1E9E6B}};
  map.cell_bytes = 2 << 20;
  map.parts = {{"node 0, zone Normal", 0x10000000, {}}};
  map.parts[0].cells.assign(cells, {1, 25, true, false});
  return map;
}

TEST(BlockMapPainter, NamesZonesUsesAndCells) {
  BlockMap map = block_map_of(3);
  map.parts[0].cells[1] = {0, 100, false, false};
  const std::string svg = svg_of({.block_maps = {map}});
  for (const char* word :
       {"RAM in blocks", "node 0, zone Normal", "file cache", "0010000000",
        "10000000, 1 cell: file cache, 20 to 29 % free, with pages that cannot be moved",
        "10200000, 1 cell: free, 100 to 100 % free"})
    EXPECT_THAT(svg, HasSubstr(word));
}

TEST(BlockMapPainter, ContinuesOnFurtherPages) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  std::ostringstream out;
  EXPECT_EQ(paint(out, PictureFormat::kPdf, {.block_maps = {block_map_of(128 * 100)}}), "");
  const std::string text = output_of("pdftotext -layout - -", out.str()).value_or("");
  EXPECT_THAT(text, HasSubstr("page 2 of 2"));
  EXPECT_EQ(count(text, "node 0, zone Normal"), 1u);
}

}  // namespace
}  // namespace physmem
