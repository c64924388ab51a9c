// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/report/bar_chart_painter.h"
#include "analyzer/report/cairo_canvas.h"
#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The text of a chart's PDF, extracted by poppler.
std::string words(const BarChart& chart) {
  return output_of("pdftotext -layout - -", picture(PictureFormat::kPdf, {chart}, {})).value_or("");
}

std::size_t pages(const BarChart& chart) {
  return count(picture(PictureFormat::kPs, {chart}, {}), "%%Page: ");
}

TEST(BarChartPainter, ShowsLabelsTotalsAndBothScales) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  BarChart chart{.title = "Physical memory",
                 .subtitle = "of figure 2",
                 .series = {"Stack", "Heap"},
                 .bar_titles = {"physical"},
                 .groups = {{"init", {{24, 1300}}}, {"inetd", {{2, 1}}}}};
  const std::string text = words(chart);
  for (const char* word : {"Physical memory", "of figure 2", "Stack", "Heap", "init", "1324",
                           "inetd", "3", "pages", "MiB"})
    EXPECT_THAT(text, HasSubstr(word));
  EXPECT_THAT(text, Not(HasSubstr("physical"))) << "one kind of bar needs no legend";
}

TEST(BarChartPainter, WritesTotalsInTheUnitOfTheTables) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  BarChart chart;
  chart.title = "Memory by process";
  chart.series = {"USS", "shared"};
  chart.bar_titles = {"physical"};
  chart.groups = {{"gdb", {{7000, 327}}}};
  chart.unit = SizeUnit::kMib;
  EXPECT_THAT(words(chart), AllOf(HasSubstr("28.62 MiB"), Not(HasSubstr("7327"))));
  chart.unit = SizeUnit::kKib;
  EXPECT_THAT(words(chart), HasSubstr("29308 KiB"));
  chart.unit = SizeUnit::kPages;
  EXPECT_THAT(words(chart), HasSubstr("7327"));
}

TEST(BarChartPainter, WritesADashForABarThatIsNotKnown) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  BarChart chart;
  chart.series = {"size"};
  chart.bar_titles = {"before", "after"};
  chart.groups = {{"gdb", {{}, {7327}}}};
  chart.unit = SizeUnit::kMib;
  EXPECT_THAT(words(chart), AllOf(testing::ContainsRegex(" -\n"), Not(HasSubstr("0.00 MiB"))));
}

TEST(BarChartPainter, NamesPhysicalAndVirtualInTheLegend) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  EXPECT_THAT(words(chart_of(2, 3, 2)),
              AllOf(HasSubstr("physical (full colour)"), HasSubstr("virtual (light")));
}

TEST(BarChartPainter, ReportsThatThereIsNothingToShow) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  EXPECT_THAT(words(chart_of(0, 3, 1)), HasSubstr("nothing to show"));
}

TEST(BarChartPainter, UsesAsManyPagesAsRequired) {
  EXPECT_EQ(pages(chart_of(0, 8, 1)), 1U);
  EXPECT_EQ(pages(chart_of(1, 8, 1)), 1U);
  EXPECT_EQ(pages(chart_of(30, 8, 1)), 1U);
  EXPECT_EQ(pages(chart_of(400, 8, 1)), 11U);
  EXPECT_EQ(pages(chart_of(400, 8, 2)), 19U);
}

TEST(BarChartPainter, KeepsTheScaleFromPageToPage) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  BarChart chart = chart_of(100, 1, 1);
  chart.groups[99].bars[0][0] = 9000;
  EXPECT_EQ(count(words(chart), "8000"), pages(chart)) << "each page has the largest tick";
}

TEST(BarChartPainter, LimitsAPictureAndReportsWhatIsLeftOut) {
  CairoCanvas ruler = CairoCanvas::ruler();
  const double full = BarChartPainter(chart_of(120, 8, 1), {770}, ruler).height(0);
  EXPECT_GT(BarChartPainter(chart_of(400, 8, 1), {770}, ruler).height(0), full) << "one line more";
  EXPECT_LT(BarChartPainter(chart_of(400, 8, 1), {770}, ruler).height(0), full + 30);
  EXPECT_EQ(
      BarChartPainter(chart_of(400, 8, 1), {770}, ruler).left_out(),
      "and 280 more (" + std::to_string((120 + 399) * 280 / 2 * 8 + 28 * 280) + " pages in all)");
  EXPECT_EQ(BarChartPainter(chart_of(120, 8, 1), {770}, ruler).left_out(), "");
}

TEST(BarChartPainter, DrawsNoSliverForZeroPages) {
  const std::string first_colour = "#0072b2";  // kSeriesColours[0] in SVG
  BarChart chart = chart_of(1, 1, 1);
  chart.groups[0].bars = {{0}};
  const std::size_t in_legend = count(picture(PictureFormat::kSvg, {chart}, {}), first_colour);
  chart.groups[0].bars = {{1}};
  EXPECT_EQ(count(picture(PictureFormat::kSvg, {chart}, {}), first_colour), in_legend + 1);
}

TEST(BarChartPainter, NeverWrapsATotal) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  BarChart chart = chart_of(1, 3, 1);
  chart.groups[0].bars = {{std::uint64_t{1} << 63, std::uint64_t{1} << 63, 5}};
  EXPECT_THAT(words(chart), HasSubstr("> 18446744073709551615"));
}

}  // namespace
}  // namespace physmem
