// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/report/cairo_canvas.h"
#include "analyzer/report/page_map_painter.h"
#include "picture_samples.h"

namespace physmem {
namespace {

using testing::HasSubstr;

std::string words(const PageMap& map) {
  return output_of("pdftotext -layout - -", picture(PictureFormat::kPdf, {}, {map})).value_or("");
}

TEST(PageMapPainter, ShowsHeadingAddressSkippedPagesAndSummary) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  const PageMap map{"Per area",
                    {{"libc ..r.x.",
                      {{0x7FFFF7C28000, "#", 0}, {0x7FFFF7C68000, "", 1280}, {0, "", 1}},
                      {"93 pages"}}}};
  const std::string text = words(map);
  for (const char* word : {"Per area", "libc ..r.x.", "7FFFF7C28000", "000000000000",
                           "1280 pages without a physical page", "1 page without a physical page",
                           "93 pages", "mapped once"})
    EXPECT_THAT(text, HasSubstr(word));
}

TEST(PageMapPainter, RepeatsTheHeadingOfAContinuedBlock) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  const std::string text = words(map_of(1, 100));
  EXPECT_THAT(text, HasSubstr("page 3 of 3"));
  EXPECT_EQ(count(text, "unit 0 (continued)"), 2U);
}

TEST(PageMapPainter, DrawsEveryLineExactlyOnce) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  const std::string text = words(map_of(7, 13));
  EXPECT_EQ(count(text, "10000000"), 7U);
  EXPECT_EQ(count(text, "10300000"), 7U);
  EXPECT_EQ(count(text, "summary of unit"), 7U);
}

TEST(PageMapPainter, ReportsThatThereIsNothingToShow) {
  if (!is_installed("pdftotext"))
    GTEST_SKIP() << "pdftotext is not installed (Debian: poppler-utils)";
  EXPECT_THAT(words(PageMap{"Empty", {}}), HasSubstr("nothing to show"));
}

TEST(PageMapPainter, LimitsAPictureAndCountsOmittedLines) {
  CairoCanvas ruler = CairoCanvas::ruler();
  EXPECT_EQ(PageMapPainter(map_of(1, 398), {770}, ruler).left_out(), 0U)
      << "a heading, 398 lines, a summary";
  EXPECT_EQ(PageMapPainter(map_of(1, 399), {770}, ruler).left_out(), 1U);
  EXPECT_EQ(PageMapPainter(map_of(2, 398), {770}, ruler).left_out(), 400U);
}

TEST(PageMapPainter, JoinsEqualFullLinesOfAPicture) {
  PageMap map{"Pages", {{"unit", {}}}};
  for (std::uint64_t i = 0; i < 1000; ++i)
    map.blocks[0].lines.push_back({i * 64 * 4096, std::string(64, i == 998 ? '1' : '.'), 0});
  CairoCanvas ruler = CairoCanvas::ruler();
  const PageMapPainter painter(map, {770}, ruler);
  EXPECT_EQ(painter.left_out(), 0U);
  EXPECT_LT(painter.height(0), 200) << "a heading and five lines";
}

}  // namespace
}  // namespace physmem
