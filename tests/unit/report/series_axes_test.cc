// SPDX-License-Identifier: MIT
#include "analyzer/report/series_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/report/svg_canvas.h"
#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kPlotHeight = 300;

SeriesAxes axes_of(const Series& series) {
  CairoCanvas ruler = CairoCanvas::ruler();
  return {series, kSeriesWidth, kPlotHeight, ruler};
}

std::string panel_svg(const SeriesAxes& axes, double height) {
  SvgCanvas canvas(kSeriesWidth, 400, "");
  axes.draw_panel(canvas, 0, axes.plot(20, height));
  return canvas.finish();
}

/// The y of the text element with this text; NaN if there is none.
double y_of_text(const std::string& svg, const std::string& text) {
  const std::size_t end = svg.find(">" + text + "</text>");
  if (end == svg.npos) return kNoValue;
  return std::stod(svg.substr(svg.rfind(" y=\"", end) + 4));
}

TEST(SeriesAxes, HaveNoPanelWithoutValuesAndBands) {
  EXPECT_EQ(axes_of(line_of({{1, kNoValue}})).panels(), 0U);
  Series series = line_of({});
  series.bands = {{0, 5, "idle"}};
  EXPECT_EQ(axes_of(series).panels(), 1U);
}

TEST(SeriesAxes, KeepEmptyPanelNextToPanelWithValues) {
  Series series = line_of({{1, 2}});
  series.panels.push_back({"faults"});
  const SeriesAxes axes = axes_of(series);
  ASSERT_EQ(axes.panels(), 2U);
  EXPECT_FALSE(axes.is_empty(0));
  EXPECT_TRUE(axes.is_empty(1));
}

TEST(SeriesAxes, CountPointsOfZeroOrLessOnLogarithmicAxes) {
  Series series = line_of({{0, 0}, {1, 10}, {2, -1}, {3, kNoValue}, {4, HUGE_VAL}});
  EXPECT_EQ(axes_of(series).below_logarithm(), 0U);
  series.panels[0].is_logarithmic = true;
  EXPECT_EQ(axes_of(series).below_logarithm(), 2U);
  series.panels[0].is_logarithmic = false;
  series.has_logarithmic_x = true;
  EXPECT_EQ(axes_of(series).below_logarithm(), 1U);
}

TEST(SeriesAxes, ShowDrawablePointsThatAreAboveZeroOnLogarithmicAxes) {
  Series series = line_of({{1, 1}});
  const SeriesAxes axes = axes_of(series);
  EXPECT_TRUE(axes.shows(series.panels[0], -1, 0));
  EXPECT_FALSE(axes.shows(series.panels[0], kNoValue, 1));
  EXPECT_FALSE(axes.shows(series.panels[0], 1, HUGE_VAL));
  series.panels[0].is_logarithmic = true;
  EXPECT_FALSE(axes.shows(series.panels[0], 1, 0));
  series.has_logarithmic_x = true;
  EXPECT_TRUE(axes.shows(series.panels[0], 1, 1));
  EXPECT_FALSE(axes.shows(series.panels[0], -1, 1));
}

TEST(SeriesAxes, PlaceExtremesOnTheEdgesOfThePlot) {
  const Series series = line_of({{3, 0}, {61, 1000}});
  const SeriesAxes axes = axes_of(series);
  const Rect plot = axes.plot(20, 200);
  EXPECT_DOUBLE_EQ(axes.x_of(3), plot.x);
  EXPECT_DOUBLE_EQ(axes.x_of(61), plot.x + plot.width);
  EXPECT_DOUBLE_EQ(axes.y_of(1000, 0, plot), 20);
  EXPECT_DOUBLE_EQ(axes.y_of(0, 0, plot), 220);
}

TEST(SeriesAxes, CoverBandsAndLevels) {
  Series series = line_of({{3, 1}, {4, 2}});
  series.bands = {{0, 9, "idle"}};
  series.panels[0].levels = {{50, "warning"}, {kNoValue, "unknown"}};
  const SeriesAxes axes = axes_of(series);
  EXPECT_EQ(axes.x().min, 0);
  EXPECT_EQ(axes.x().max, 9);
  EXPECT_GE(axes.y_of(50, 0, axes.plot(20, 200)), 20);
}

TEST(SeriesAxes, LeaveRoomAroundMarks) {
  Series series = line_of({{0, 1}, {100, 2}});
  EXPECT_EQ(axes_of(series).x().min, 0);
  series.panels[0].lines[0].has_marks = true;
  EXPECT_DOUBLE_EQ(axes_of(series).x().min, -3);
  EXPECT_DOUBLE_EQ(axes_of(series).x().max, 103);
}

TEST(SeriesAxes, NumberOnlyWholeValuesIfAllXAreWhole) {
  EXPECT_EQ(axes_of(line_of({{1, 1}, {3, 1}})).x().ticks.size(), 3U);
  EXPECT_GT(axes_of(line_of({{1, 1}, {2.5, 1}, {3, 1}})).x().ticks.size(), 3U);
}

TEST(SeriesAxes, ShowDaysAsDates) {
  Series series = line_of({{20778, 1}, {20780, 2}});
  series.has_date_x = true;
  const auto ticks = axes_of(series).x().ticks;
  ASSERT_EQ(ticks.size(), 3U);
  EXPECT_EQ(ticks.front().text, "2026-11-21");
  EXPECT_EQ(ticks.back().text, "2026-11-23");
}

TEST(SeriesAxes, MeasureTheFirstPoints) {
  Series series = line_of({{1, 1}, {1000, 1}});
  EXPECT_DOUBLE_EQ(axes_of(series).first_units(kSeriesWidth), 999);
  EXPECT_DOUBLE_EQ(axes_of(series).first_units(kSeriesWidth / 3), 333);
  series.has_logarithmic_x = true;
  EXPECT_NEAR(axes_of(series).first_units(kSeriesWidth / 3), 9, 1e-9);
}

TEST(SeriesAxes, LimitTheColumnOfLevelNames) {
  Series series = line_of({{1, 1}});
  const double without = axes_of(series).plot(0, 1).width;
  series.panels[0].levels = {{1, std::string(1000, 'x')}};
  const double with = axes_of(series).plot(0, 1).width;
  EXPECT_LT(with, without);
  EXPECT_GT(with, without - 130);
}

TEST(SeriesAxes, SeparateNamesOfCloseLevels) {
  Series series = line_of({{1, 0}, {2, 100}});
  series.panels[0].levels = {{50, "warning"}, {50.1, "alarm"}};
  const std::string svg = panel_svg(axes_of(series), 200);
  EXPECT_GE(y_of_text(svg, "warning") - y_of_text(svg, "alarm"), 8.99);
}

TEST(SeriesAxes, OmitNumbersWithoutRoomInLowPlot) {
  const Series series = line_of({{1, 0}, {2, 1000}});
  const SeriesAxes axes = axes_of(series);
  EXPECT_THAT(panel_svg(axes, 300), HasSubstr(">200</text>"));
  EXPECT_THAT(panel_svg(axes, 20), AllOf(HasSubstr(">0</text>"), Not(HasSubstr(">200</text>"))));
  EXPECT_EQ(count(panel_svg(axes, 20), "<path"), count(panel_svg(axes, 300), "<path"));
}

TEST(SeriesAxes, NameTheScaleInTitles) {
  Series series = line_of({{1, 1}, {1000, 1}});
  series.has_logarithmic_x = true;
  const SeriesAxes axes = axes_of(series);
  SvgCanvas canvas(kSeriesWidth, 400, "");
  axes.draw_title(canvas, 0, axes.plot(20, 200));
  axes.draw_x(canvas, 220);
  const std::string svg = canvas.finish();
  for (const char* text : {">pages</text>", ">s (logarithmic)</text>", ">100</text>"})
    EXPECT_THAT(svg, HasSubstr(text));
}

}  // namespace
}  // namespace physmem
