// SPDX-License-Identifier: MIT
#include "analyzer/report/series_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/report/svg_canvas.h"
#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kLine = R"(stroke-width="1.4")";
constexpr const char* kCasing = R"(stroke="#ffffff" stroke-width="4")";
constexpr const char* kBand = "fill=\"#f";  // all severities that are used here
constexpr const char* kPoint = R"(paint-order="stroke")";

/// What the function draws, as SVG.
template <class Draw>
std::string svg_of(const Series& series, Draw draw) {
  SvgCanvas canvas(kSeriesWidth, 400, "");
  const SeriesAxes axes(series, kSeriesWidth, 300, canvas);
  draw(SeriesMarks(series, axes, SeriesLegend(series)), canvas, axes);
  return canvas.finish();
}

std::string lines_svg(const Series& series) {
  return svg_of(series, [](const SeriesMarks& marks, Canvas& canvas, const SeriesAxes& axes) {
    marks.draw_lines(canvas, axes, 0, axes.plot(20, 300));
  });
}

std::string bands_svg(const Series& series) {
  return svg_of(series, [](const SeriesMarks& marks, Canvas& canvas, const SeriesAxes& axes) {
    marks.draw_bands(canvas, axes, axes.plot(20, 300));
  });
}

std::string ribbon_svg(const Series& series) {
  return svg_of(series, [](const SeriesMarks& marks, Canvas& canvas, const SeriesAxes& axes) {
    marks.draw_ribbon(canvas, axes, 0);
  });
}

TEST(SeriesMarks, DrawFirstLineLast) {
  Series series = line_of({{1, 1}, {2, 2}});
  series.panels[0].lines.push_back({"inetd", {{1, 2}, {2, 1}}});
  const std::string svg = lines_svg(series);
  const std::size_t first = svg.find("<title>init, pages</title>");
  ASSERT_NE(first, svg.npos);
  EXPECT_LT(svg.find("<title>inetd, pages</title>"), first);
}

TEST(SeriesMarks, NameLineWithoutLabelByItsPanel) {
  Series series = line_of({{1, 1}, {2, 2}});
  series.panels[0].lines[0].label = "";
  EXPECT_THAT(lines_svg(series), HasSubstr("<title>pages</title>"));
}

TEST(SeriesMarks, InterruptLineAtGap) {
  EXPECT_EQ(count(lines_svg(line_of({{0, 1}, {1, 2}, {2, 3}, {3, 4}})), kLine), 1U);
  EXPECT_EQ(count(lines_svg(line_of({{0, 1}, {1, 2}, {1.5, kNoValue}, {2, 3}, {3, 4}})), kLine),
            2U);
}

TEST(SeriesMarks, InterruptLineAtValueThatLogarithmicAxisCannotShow) {
  Series series = line_of({{0, 1}, {1, 2}, {1.5, -1}, {2, 3}, {3, 4}});
  EXPECT_EQ(count(lines_svg(series), kLine), 1U);
  series.panels[0].is_logarithmic = true;
  EXPECT_EQ(count(lines_svg(series), kLine), 2U);
}

TEST(SeriesMarks, DrawNothingForLineWithoutValues) {
  Series series = line_of({{1, kNoValue}});
  series.bands = {{0, 5, "idle", 1}};
  EXPECT_THAT(lines_svg(series), Not(HasSubstr("<path")));
}

TEST(SeriesMarks, DrawDotForIsolatedPoint) {
  const std::string svg =
      lines_svg(line_of({{0, 1}, {1, 2}, {2, kNoValue}, {3, 4}, {4, kNoValue}}));
  EXPECT_EQ(count(svg, kPoint), 1U);
  EXPECT_THAT(svg, HasSubstr("<title>init, pages: 4 at 3, s</title>"));
}

TEST(SeriesMarks, MarkEachPointOfLineWithMarks) {
  Series series = line_of({{1, 40}, {2, 42.5}, {3, 41}});
  series.panels[0].lines[0].has_marks = true;
  const std::string svg = lines_svg(series);
  EXPECT_EQ(count(svg, kPoint), 3U);
  EXPECT_THAT(svg, HasSubstr("<title>init, pages: 42.5 at 2, s</title>"));
}

TEST(SeriesMarks, SeparateLinesFromBandsByCasing) {
  Series series = line_of({{1, 1}, {2, 2}});
  EXPECT_EQ(count(lines_svg(series), kCasing), 0U);
  series.bands = {{1, 2, "idle", 1}};
  EXPECT_EQ(count(lines_svg(series), kCasing), 1U);
}

TEST(SeriesMarks, LeaveOutBandWithoutWidth) {
  Series series = line_of({{1, 1}, {2, 2}});
  series.bands = {{1, 2, "idle", 1}, {2, 1, "backwards", 1}, {kNoValue, 2, "unknown", 1}};
  EXPECT_EQ(count(bands_svg(series), kBand), 1U);
  EXPECT_EQ(count(ribbon_svg(series), "<title>"), 2U) << "the picture's and the band's";
}

TEST(SeriesMarks, ClipBandToTheAxis) {
  Series series = line_of({{1, 1}, {2, 2}});
  series.bands = {{-HUGE_VAL, HUGE_VAL, "all", 1}};
  EXPECT_THAT(ribbon_svg(series), HasSubstr("<title>all: 1 to 2, s</title>"));
}

TEST(SeriesMarks, DrawBandsLighterThanRibbon) {
  Series series = line_of({{1, 1}, {2, 2}});
  series.bands = {{1, 2, "thrashing", 3}};
  EXPECT_THAT(ribbon_svg(series), HasSubstr("fill=\"#fd8d3c\""));
  EXPECT_THAT(bands_svg(series), HasSubstr("fill=\"#fed8bd\""));
}

TEST(SeriesMarks, ShortenNameOfNarrowBandToItsMark) {
  Series series = line_of({{0, 1}, {1000, 2}});
  series.bands = {{0, 970, "thrashing", 3}, {970, 999, "paging", 2}, {999, 1000, "idle", 1}};
  const std::string svg = ribbon_svg(series);
  EXPECT_THAT(svg, AllOf(HasSubstr(">3 thrashing</text>"), HasSubstr(">2</text>")));
  EXPECT_THAT(svg, Not(HasSubstr(">1</text>"))) << "too narrow for one character";
}

TEST(SeriesMarks, ThinLineWithMorePointsThanColumns) {
  Series series = line_of({});
  for (int i = 0; i < 100'000; ++i) series.panels[0].lines[0].points.emplace_back(i, i * 7 % 10);
  EXPECT_LT(lines_svg(series).size(), 120'000U);
}

}  // namespace
}  // namespace physmem
