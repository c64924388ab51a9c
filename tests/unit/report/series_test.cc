// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "analyzer/report/cairo_canvas.h"
#include "analyzer/report/series_painter.h"
#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr PictureFormat kEveryFormat[] = {PictureFormat::kPs, PictureFormat::kPdf,
                                          PictureFormat::kSvg, PictureFormat::kPng};
const double kNoValue = std::nan("");

std::string picture_of(const Series& series, PictureFormat format = PictureFormat::kSvg) {
  std::ostringstream out;
  EXPECT_EQ(paint(out, format, {.series = {series}}), "");
  return out.str();
}

/// The text of its PDF, extracted by poppler.
std::string words(const Series& series) {
  return output_of("pdftotext -layout - -", picture_of(series, PictureFormat::kPdf)).value_or("");
}

Series series_of(std::size_t panels, std::size_t lines, std::size_t points) {
  Series series{.title = "What happened", .subtitle = "a sample", .x_title = "time (s)"};
  for (std::size_t p = 0; p < panels; ++p) {
    Series::Panel panel{.title = "panel " + std::to_string(p)};
    for (std::size_t l = 0; l < lines; ++l) {
      Series::Line line{"line " + std::to_string(l)};
      for (std::size_t i = 0; i < points; ++i)
        line.points.emplace_back(static_cast<double>(i), static_cast<double>(p + l + i * 7 % 10));
      panel.lines.push_back(line);
    }
    series.panels.push_back(panel);
  }
  return series;
}

class SeriesWords : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_installed("pdftotext"))
      GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  }
};

TEST_F(SeriesWords, IncludeTitlesLinesLevelsStatesAndNotes) {
  Series series = series_of(2, 2, 10);
  series.panels[0].levels = {{5, "warning"}, {5.1, "alarm"}};
  series.bands = {{0, 5, "idle", 0}, {5, 9, "thrashing", 3}};
  series.notes = {"a note"};
  const std::string text = words(series);
  for (const char* word : {"What happened", "a sample", "line 0", "line 1", "panel 0", "panel 1",
                           "time (s)", "warning", "alarm", "idle", "3 thrashing", "a note"})
    EXPECT_THAT(text, HasSubstr(word));
  EXPECT_THAT(text, Not(HasSubstr("nothing to show")));
}

TEST_F(SeriesWords, ReportThatThereIsNothingToShow) {
  EXPECT_THAT(words(Series{.title = "Empty"}), HasSubstr("nothing to show"));
  EXPECT_THAT(words(series_of(2, 2, 0)), HasSubstr("nothing to show"));
  Series series = series_of(2, 1, 5);
  series.panels[1].lines[0].points = {{1, kNoValue}};
  EXPECT_EQ(count(words(series), "nothing to show"), 1U) << "in the panel without values";
}

TEST_F(SeriesWords, CountValuesThatALogarithmicAxisOmits) {
  Series series = series_of(1, 1, 0);
  series.panels[0].is_logarithmic = true;
  series.panels[0].lines[0].points = {{0, 0}, {1, 10}, {2, -1}, {3, 1000}};
  EXPECT_THAT(words(series),
              AllOf(HasSubstr("panel 0 (logarithmic)"), HasSubstr("2 values of 0 or less")));
}

TEST_F(SeriesWords, LabelPowersOfTenOnALogarithmicAxis) {
  Series series = series_of(1, 1, 0);
  series.has_logarithmic_x = true;
  series.panels[0].lines[0] = {"line", {{0, 5}, {20, 5}, {2e6, 6}}, true};
  const std::string text = words(series);
  for (const char* word : {"time (s) (logarithmic)", "100", "10k", "1M", "1 value of 0 or less"})
    EXPECT_THAT(text, HasSubstr(word));
  EXPECT_THAT(text, Not(HasSubstr("20")));
}

TEST_F(SeriesWords, CountLinesWithoutTheirOwnColour) {
  EXPECT_THAT(words(series_of(1, 40, 3)),
              AllOf(HasSubstr("line 32"), Not(HasSubstr("line 33")), HasSubstr("7 more")));
}

TEST(SeriesPainter, GivesALabelTheSameColourInAllPanels) {
  const std::string second_colour = "#e69f00";  // kSeriesColours[1] in SVG
  Series series = series_of(2, 2, 5);
  const std::size_t before = count(picture_of(series), second_colour);
  series.panels[1].lines.erase(
      series.panels[1].lines.begin());  // "line 1" is now the first line of the panel
  EXPECT_EQ(count(picture_of(series), second_colour), before);
}

TEST(SeriesPainter, DrawsGapsAndIsolatedPoints) {
  Series series = series_of(1, 1, 0);
  series.panels[0].lines[0].points = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
  const std::size_t one = count(picture_of(series), R"(stroke-width="1.4")");
  series.panels[0].lines[0].points[2].second = kNoValue;
  EXPECT_EQ(count(picture_of(series), R"(stroke-width="1.4")"), one + 1);
}

TEST(SeriesPainter, ThinsALongSeries) {
  const std::string svg = picture_of(series_of(1, 1, 100'000));
  EXPECT_LT(svg.size(), 400'000U);
}

TEST(SeriesPainter, KeepsMorePointsOnALogarithmicAxis) {
  Series series = series_of(1, 1, 0);
  for (int i = 0; i < 100'000; ++i) series.panels[0].lines[0].points.emplace_back(1 + i, i % 2);
  const std::size_t linear = picture_of(series).size();
  series.has_logarithmic_x = true;
  EXPECT_GT(picture_of(series).size(), linear) << "the first tenth has four fifths of the width";
}

TEST(SeriesPainter, GivesMarksAndBandsTooltipsInSvg) {
  Series series = series_of(1, 1, 0);
  series.panels[0].title = "pages";
  series.x_title = "s";
  series.panels[0].lines[0] = {"init", {{1, 40}, {2, 42.5}}, true};
  series.bands = {{1, 2, "idle"}};
  const std::string svg = picture_of(series);
  EXPECT_EQ(count(svg, "<title>init, pages: 42.5 at 2, s</title>"), 1U);
  EXPECT_EQ(count(svg, "<title>idle: 1 to 2, s</title>"), 1U);
}

TEST(SeriesPainter, SpreadsPanelsOverPages) {
  const auto pages = [](const Series& series) {
    return count(picture_of(series, PictureFormat::kPs), "%%Page: ");
  };
  EXPECT_EQ(pages(series_of(1, 2, 10)), 1U);
  EXPECT_EQ(pages(series_of(3, 2, 10)), 1U);
  EXPECT_EQ(pages(series_of(8, 2, 10)), 3U);
  Series series = series_of(1, 1, 10);
  series.notes.assign(100, "a note");
  EXPECT_EQ(pages(series), 5U) << "each page has a third of the hundred notes";
  EXPECT_EQ(pages({.title = "Empty"}), 1U);
}

TEST(SeriesPainter, FitsOnItsSheets) {
  CairoCanvas ruler = CairoCanvas::ruler();
  for (const std::size_t panels : {1, 2, 3, 4, 9}) {
    for (const std::size_t notes : {0, 1, 8, 9}) {
      Series series = series_of(panels, 30, 10);
      series.bands = {{0, 5, "idle", 0}};
      series.notes.assign(notes, "a note");
      const SeriesPainter painter(series, {770, 507}, ruler);
      for (std::size_t sheet = 0; sheet < painter.sheets(); ++sheet)
        EXPECT_LE(painter.height(sheet), 507.01) << panels << " panels, " << notes << " notes";
    }
  }
}

TEST(SeriesPainter, AcceptsExtremeValues) {
  Series series = series_of(3, 2, 4);
  series.panels[0].lines[0].points = {{-HUGE_VAL, 1}, {0, HUGE_VAL}, {1, 1e308},
                                      {2, -1e308},    {kNoValue, 4}, {3, 1e-308}};
  series.panels[0].lines[1].label = std::string(100'000, 'x');
  series.panels[0].levels = {
      {kNoValue, "\xFF"}, {HUGE_VAL, "far"}, {1e199, std::string(1000, 'y')}};
  series.panels[1].is_logarithmic = true;
  series.panels[1].lines[0].points = {{0, 1e-320}, {1, 1e300}, {2, 1e199}, {3, 1e-199}};
  series.panels[2].lines.clear();
  series.bands = {
      {-HUGE_VAL, HUGE_VAL, "all", 99}, {5, 2, "backwards", 1}, {kNoValue, 3, "\x1B[2J", 2}};
  series.notes = {"", std::string(5000, 'z'), "a  b"};
  for (const PictureFormat format : kEveryFormat) EXPECT_FALSE(picture_of(series, format).empty());
}

TEST(SeriesPainter, DrawsTheSameBytesForTheSameInput) {
  for (const PictureFormat format : {PictureFormat::kPdf, PictureFormat::kSvg, PictureFormat::kPng})
    EXPECT_TRUE(picture_of(series_of(3, 15, 50), format) ==
                picture_of(series_of(3, 15, 50), format));
}

TEST(SeriesPainter, IsAcceptedByGhostscript) {
  if (!is_installed("gs")) GTEST_SKIP() << "gs is not installed (Debian: ghostscript)";
  Series series = series_of(5, 14, 60);
  series.bands = {{3, 20, "thrashing", 3}};
  EXPECT_EQ(output_of("gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=nullpage -",
                      picture_of(series, PictureFormat::kPs)),
            "");
}

}  // namespace
}  // namespace physmem
