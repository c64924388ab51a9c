// SPDX-License-Identifier: MIT
// Residency maps, 64 pages per line (I14).
#include <gtest/gtest.h>

#include "analyzer/analyze/process/unit_map.h"
#include "analyzer/analyze/process/vma_map.h"
#include "analyzer/shape/map_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// A map of `pages` pages, of which `cells` are set. A '$' marks the end of each line.
std::string lines_of(std::uint64_t pages,
                     const std::vector<std::pair<std::uint64_t, char>>& cells) {
  std::string text = "\n";
  MapLines lines(pages, [&](const MapLine& line) {
    if (line.skipped != 0)
      text += fmt::format("{}: {} skipped\n", line.first_page, line.skipped);
    else
      text += fmt::format("{}: {}$\n", line.first_page, line.cells);
  });
  for (const auto& [page, cell] : cells) lines.put(page, cell);
  lines.finish();
  return text;
}

TEST(MapLines, FillsLastLineWithBlanks) {
  EXPECT_EQ(lines_of(70, {{0, '1'}, {63, '2'}, {69, '#'}}), R"(
0: 1..............................................................2$
64: .....#                                                          $
)");
}

TEST(MapLines, ShowsAreaWithoutPhysicalPages) {
  EXPECT_EQ(lines_of(3, {}),
            "\n0: ...                                                             $\n");
  EXPECT_EQ(lines_of(0, {}), "\n");
}

TEST(MapLines, ShowsSixteenEmptyLinesAndSkipsSeventeen) {
  const std::string sixteen = lines_of(18 * 64, {{0, '1'}, {17 * 64, '1'}});
  EXPECT_EQ(std::count(sixteen.begin(), sixteen.end(), '$'), 18);
  const std::string seventeen = lines_of(19 * 64, {{0, '1'}, {18 * 64, '1'}});
  EXPECT_EQ(std::count(seventeen.begin(), seventeen.end(), '$'), 2);
  EXPECT_NE(seventeen.find("\n64: 1088 skipped\n1152: 1"), std::string::npos) << seventeen;
}

TEST(MapLines, SkipsRestOfAreaOfTerabytes) {
  const std::string text = lines_of((std::uint64_t{1} << 36) + 1, {{5, '7'}});
  EXPECT_EQ(text.substr(text.find('$')), "$\n64: 68719476673 skipped\n");
}

TEST(MapLines, SkipsLinesOfALongRunThatAreAlike) {
  std::vector<MapLine> shown;
  MapLines lines(std::uint64_t{1} << 40, [&](const MapLine& line) { shown.push_back(line); });
  lines.put(10, (std::uint64_t{1} << 40) - 20, '0');
  lines.finish();
  ASSERT_EQ(shown.size(), 4u);
  EXPECT_EQ(shown[0].cells, std::string(10, '.') + std::string(54, '0'));
  EXPECT_EQ(shown[1].cells, std::string(64, '0'));
  EXPECT_EQ(shown[1].skipped, 0u);
  EXPECT_EQ(shown[2].first_page, 128u);
  EXPECT_EQ(shown[2].cells, shown[1].cells);
  EXPECT_EQ(shown[2].skipped, (std::uint64_t{1} << 40) - 3 * 64);
  EXPECT_EQ(shown[3].cells, std::string(54, '0') + std::string(10, '.'));
  // Up to 1024 of them are shown.
  shown.clear();
  MapLines few(1024 * 64, [&](const MapLine& line) { shown.push_back(line); });
  few.put(0, 1024 * 64, '1');
  few.finish();
  EXPECT_EQ(shown.size(), 1024u);
}

TEST(MapCell, ShowsNumberOfMappingsUpToNine) {
  EXPECT_EQ(map_cell(0), '0');
  EXPECT_EQ(map_cell(9), '9');
  EXPECT_EQ(map_cell(10), '#');
  EXPECT_EQ(map_cell(~std::uint64_t{0}), '#');
}

/// Collects the maps of all processes as the command prints them.
class MapText : public VmaMapSink {
 public:
  void area(const Process& process, const Area& area) override {
    if (std::exchange(is_new_, false)) text += process_heading(process) + "\n";
    text += area_heading(area, {header_of_version_2(), "s.txt"}) + "\n";
  }
  void line(const Process&, const Area& area, const MapLine& line) override {
    text += fmt::format("{:08X} {}\n", area_line(area, line, {}).address,
                        line.cells.substr(0, line.cells.find_last_not_of(' ') + 1));
  }
  void process_end(const Process& process, const ProcessUse& use) override {
    for (const std::string& line : process_use(process, use)) text += line + "\n";
    is_new_ = true;
  }
  std::string text = "\n";

 private:
  static Header header_of_version_2() {
    Header header;
    header.version = 2;
    return header;
  }
  bool is_new_ = true;
};

TEST(VmaMap, PrintsAreasAndThenPageUseOfProcess) {
  MapText sink;
  VmaMap map(sink);
  fold(maps_snapshot(R"(
process cat 371
400000-404000 r-xpX 0 10 /bin/cat : f1 f9 f10 .
1000000-1003000 rw-p 0 0 [heap] : a1 s z0
kernel kswapd0 52
process dog 372
7FF000000000-7FF000001000 rw-pS 0 0 [stack] :
)"),
       {&map});
  EXPECT_EQ(sink.text, R"(
cat (371)
00400000-00403FFF .Xr.x. 4 pages, 3 resident  /bin/cat
00400000 19#.
01000000-01002FFF .Xrw.B 3 pages, 2 resident, 1 swapped  [heap]
01000000 1.0
cat (371): 4 physical pages, 2 single usage and 2 shared usage, 1 swapped
pages by number of mappings  1: 2  2: 0  3: 0  4: 0  5: 0  6: 0  7: 0  8: 0  9: 1  #: 1
dog (372)
7FF000000000-7FF000000FFF S.rw.. 1 page, 0 resident  [stack]
7FF000000000 .
dog (372): 0 physical pages, 0 single usage and 0 shared usage, 0 swapped
pages by number of mappings  1: 0  2: 0  3: 0  4: 0  5: 0  6: 0  7: 0  8: 0  9: 0  #: 0
)");
}

TEST(VmaMap, PrintsLastPageCountsInHeading) {
  MapText sink;
  VmaMap map(sink);
  std::string text = maps_snapshot("process cat 371\n400000-402000 r-xp 0 10 /bin/cat : f1 .\n");
  text = with(text, "00002000, 00001000,", "00002000, 00002000,");
  text = with(text, "\nP: 1, 1, 1, 1, 0, 0\n", "\nP: 2, 2, 2, 0, 2, 0\n");
  text = with(text, "|\n", "|\nP: 1, 1, 1, 1, 0, 0\n");
  fold(text, {&map});
  EXPECT_NE(sink.text.find("2 pages, 1 resident  /bin/cat"), std::string::npos) << sink.text;
}

TEST(UnitMap, CountsProcessThatMapsSegmentTwiceOnce) {
  UnitMap map;
  fold(maps_snapshot(R"(
process one 1
10000000-10001000 r-xp 0 20 /lib/a.so : f3
20000000-20001000 r-xp 0 20 /lib/a.so : f3
process two 2
10000000-10001000 r-xp 0 20 /lib/a.so : f3
)"),
       {&map});
  std::string headings;
  map.for_each([&](const UnitSegment& segment) { headings += segment_heading(segment) + "\n"; },
               [](const UnitSegment&, const MapLine&) {});
  EXPECT_EQ(headings, "/lib/a.so ..r.x. 1 page, 1 resident, in 2 processes\n");
}

TEST(VmaMap, ExcludesKernelPagesFromProcess) {
  MapText sink;
  VmaMap map(sink);
  fold(maps_snapshot("process cat 371\n7FFD00000000-7FFD00002000 r--p 0 0 [vvar] : f0 f0\n"),
       {&map});
  EXPECT_NE(sink.text.find("cat (371): 0 physical pages"), std::string::npos) << sink.text;
}

}  // namespace
}  // namespace physmem
