// SPDX-License-Identifier: MIT
// Properties of all pictures in all formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr PictureFormat kFormats[] = {PictureFormat::kPs, PictureFormat::kPdf, PictureFormat::kSvg,
                                      PictureFormat::kPng};

std::string without_date(const std::string& picture) {
  const std::size_t at = picture.find("%%CreationDate");
  if (at == picture.npos) return picture;
  return picture.substr(0, at) + picture.substr(picture.find('\n', at));
}

TEST(Picture, StartsWithTheSignatureOfItsFormat) {
  const std::vector<BarChart> charts = {chart_of(3, 4, 1)};
  EXPECT_THAT(picture(PictureFormat::kPs, charts, {}), StartsWith("%!PS-Adobe-3.0"));
  EXPECT_THAT(picture(PictureFormat::kPdf, charts, {}), StartsWith("%PDF-1."));
  EXPECT_THAT(picture(PictureFormat::kSvg, charts, {}),
              AllOf(StartsWith("<?xml"), HasSubstr("<svg ")));
  EXPECT_THAT(picture(PictureFormat::kPng, charts, {}), StartsWith("\x89PNG\r\n\x1a\n"));
}

TEST(Picture, HasTheSameBytesForTheSameInput) {
  for (const PictureFormat format : kFormats) {
    const std::string first = without_date(picture(format, {chart_of(50, 12, 2)}, {map_of(3, 20)}));
    EXPECT_TRUE(first == without_date(picture(format, {chart_of(50, 12, 2)}, {map_of(3, 20)})))
        << "format " << static_cast<int>(format);
  }
}

TEST(Picture, HasNoDateInPdf) {
  EXPECT_EQ(count(picture(PictureFormat::kPdf, {chart_of(1, 1, 1)}, {}), "CreationDate"), 0U);
}

TEST(Picture, AcceptsExtremeValues) {
  const std::uint64_t max = ~std::uint64_t{0};
  BarChart chart = chart_of(4, 12, 2);
  chart.groups[0].label = "\xFF\xFE no UTF-8 \x01\n";
  chart.groups[0].bars[0].assign(12, max);
  chart.groups[1].bars[1].assign(12, std::uint64_t{1} << 63);
  chart.groups[2].bars.clear();
  chart.groups[3].label = std::string(100'000, 'x');
  chart.page_size = max;
  PageMap map{"\xC0\x80",
              {{"\x1B[2J", {{max, std::string(200, '#'), 0}, {0, "\xFF?", 0}, {1, "", max}}, {}}}};
  for (const PictureFormat format : kFormats) EXPECT_FALSE(picture(format, {chart}, {map}).empty());
}

TEST(Picture, IsWrittenForEmptyInput) {
  for (const PictureFormat format : kFormats) {
    EXPECT_FALSE(picture(format, {}, {}).empty());
    EXPECT_FALSE(picture(format, {BarChart{}}, {PageMap{}}).empty());
  }
}

TEST(Picture, HasTextsAndTitlesInSvg) {
  BarChart chart{.title = "Memory <1>",
                 .subtitle = "a & b",
                 .series = {"Stack", "Heap"},
                 .bar_titles = {"physical", "virtual"},
                 .groups = {{"日本 (1)", {{24, 1300}, {30, 0}}}}};
  const std::string svg = picture(PictureFormat::kSvg, {chart}, {});
  for (const char* part :
       {"<title>Memory &lt;1&gt;</title>", ">a &amp; b</text>", ">日本 (1)</text>",
        "<title>日本 (1), Stack, physical: 24 pages (96 KiB)</title>",
        "<title>日本 (1), Heap, physical: 1300 pages (5.1 MiB)</title>",
        "<title>日本 (1), Stack, virtual: 30 pages (120 KiB)</title>"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_EQ(count(svg, "<title>"), 4U) << "a missing bar has no title";
}

TEST(Picture, HasATitleForEachRunOfCellsInSvg) {
  const PageMap map{"", {{"unit", {{0x7F00, "22.0#", 0}}, {}}}};
  const std::string svg = picture(PictureFormat::kSvg, {}, {map});
  for (const char* title :
       {"7F00, cells 1 to 2: mapped 2 times", "7F00, cells 3 to 3: no physical page",
        "7F00, cells 4 to 4: zero page or device", "7F00, cells 5 to 5: mapped 10 times or more"})
    EXPECT_THAT(svg, HasSubstr("<title>" + std::string(title) + "</title>"));
}

TEST(Picture, KeepsBlanksInSvg) {
  BarChart chart = chart_of(1, 1, 1);
  chart.groups[0].label = "two  blanks";
  EXPECT_THAT(picture(PictureFormat::kSvg, {chart}, {}),
              HasSubstr(" xml:space=\"preserve\">two  blanks</text>"));
}

TEST(Picture, IsValidXmlInSvgForAnyNames) {
  BarChart chart = chart_of(1, 1, 1);
  chart.groups[0].label = "\xFF\x01<&>\xEF\xBF\xBF\"'\x1b";
  const std::string svg = picture(PictureFormat::kSvg, {chart}, {});
  EXPECT_THAT(svg, HasSubstr(">\xEF\xBF\xBD\\001&lt;&amp;&gt;\xEF\xBF\xBD\"'\\033</text>"));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

TEST(Picture, DrawsOrEscapesNamesOfAnyScript) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  BarChart chart = chart_of(1, 1, 1);
  chart.groups[0].label = "a日本z";
  const std::string text =
      output_of("pdftotext - -", picture(PictureFormat::kPdf, {chart}, {})).value_or("");
  EXPECT_THAT(text, testing::AnyOf(HasSubstr("a日本z"), HasSubstr("a\\u65e5\\u672cz")));
}

TEST(Picture, IsSmallInSvg) {
  // With letters as shapes, as in cairo's SVG, a chart like this had 170,000 bytes.
  EXPECT_LT(picture(PictureFormat::kSvg, {chart_of(14, 7, 1)}, {}).size(), 30'000U);
}

TEST(Picture, KeepsAFailedWriteInTheStreamState) {
  for (const PictureFormat format : kFormats) {
    std::ostringstream broken;
    broken.setstate(std::ios::badbit);
    EXPECT_EQ(paint(broken, format, {.charts = {chart_of(2, 2, 1)}}), "");
    EXPECT_TRUE(broken.bad());
  }
}

TEST(Picture, IsAcceptedByGhostscript) {
  if (!is_installed("gs")) GTEST_SKIP() << "gs is not installed (Debian: ghostscript)";
  const std::string ps = picture(PictureFormat::kPs, {chart_of(100, 12, 2)}, {map_of(3, 40)});
  EXPECT_EQ(output_of("gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=nullpage -", ps), "");
}

TEST(Picture, NumbersItsPages) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  const std::string text =
      output_of("pdftotext - -", picture(PictureFormat::kPdf, {chart_of(3, 2, 1)}, {map_of(1, 3)}))
          .value_or("");
  EXPECT_THAT(text, AllOf(HasSubstr("page 1 of 2"), HasSubstr("page 2 of 2")));
}

}  // namespace
}  // namespace physmem
