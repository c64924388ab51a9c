// SPDX-License-Identifier: MIT
#include "analyzer/report/series_legend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem {
namespace {

using testing::ElementsAre;

bool is_same(Colour a, Colour b) {
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/// One panel with lines "line 0", "line 1", …
Series series_with(std::size_t lines) {
  Series series{.title = "Memory", .panels = {{"pages"}}};
  for (std::size_t i = 0; i < lines; ++i)
    series.panels[0].lines.push_back({"line " + std::to_string(i)});
  return series;
}

std::vector<LegendItem> all_items(const Series& series) {
  return SeriesLegend(series).items(series, std::vector<bool>(series.panels.size()));
}

std::vector<std::string> labels_of(const Series& series) {
  std::vector<std::string> labels;
  for (const LegendItem& item : all_items(series)) labels.push_back(item.label);
  return labels;
}

/// The style of each line of the first panel.
std::vector<LineStyle> styles_of(const Series& series) {
  const SeriesLegend legend(series);
  std::vector<LineStyle> styles;
  for (const Series::Line& line : series.panels[0].lines) styles.push_back(legend.style_of(line));
  return styles;
}

TEST(SeriesLegend, NamesLabelOfSeveralPanelsOnce) {
  EXPECT_THAT(labels_of({.title = "Memory",
                         .panels = {{"pages", {{"b"}, {"a"}}}, {"faults", {{"a"}, {"c"}}}}}),
              ElementsAre("b", "a", "c"));
}

TEST(SeriesLegend, LeavesOutPanelsWithALegendOfTheirOwn) {
  const Series series{.title = "Memory",
                      .panels = {{"pages", {{"b"}, {"a"}}}, {"faults", {{"a"}, {"c"}}}}};
  const SeriesLegend legend(series);
  const std::vector<LegendItem> items = legend.items(series, {true, false});
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].label, "a");
  EXPECT_EQ(items[1].label, "c");
  const std::vector<LegendItem> own = legend.items_of(series.panels[0]);
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].label, "b");
  EXPECT_EQ(own[1].label, "a");
}

TEST(SeriesLegend, LeavesOutLineWithoutLabel) {
  EXPECT_THAT(labels_of({.title = "Memory", .panels = {{"pages", {{""}, {"a"}}}}}),
              ElementsAre("a"));
}

TEST(SeriesLegend, GivesLineWithoutLabelTheFirstColour) {
  const std::vector<LineStyle> styles =
      styles_of({.title = "Memory", .panels = {{"pages", {{"a"}, {"b"}, {""}}}}});
  EXPECT_TRUE(is_same(styles[2].stroke.colour, styles[0].stroke.colour));
  EXPECT_FALSE(is_same(styles[2].stroke.colour, styles[1].stroke.colour));
}

TEST(SeriesLegend, DrawsFitDashedInTheColourOfItsLine) {
  Series series = series_with(2);
  for (std::size_t i : {0, 1}) {
    Series::Line fit{series.panels[0].lines[i].label};
    fit.is_fit = true;
    series.panels[0].lines.push_back(fit);
  }
  EXPECT_THAT(labels_of(series), ElementsAre("line 0", "line 1"));
  const std::vector<LineStyle> styles = styles_of(series);
  EXPECT_TRUE(is_same(styles[3].stroke.colour, styles[1].stroke.colour));
  EXPECT_EQ(styles[1].stroke.dash, Dash::kSolid);
  EXPECT_EQ(styles[3].stroke.dash, Dash::kDashed);
  EXPECT_FALSE(styles[3].mark);
}

TEST(SeriesLegend, RepeatsColoursWithAnotherDash) {
  const std::vector<LineStyle> styles = styles_of(series_with(kLineColours + 1));
  EXPECT_TRUE(is_same(styles[kLineColours].stroke.colour, styles[0].stroke.colour));
  EXPECT_EQ(styles[0].stroke.dash, Dash::kSolid);
  EXPECT_EQ(styles[kLineColours].stroke.dash, Dash::kDashed);
}

TEST(SeriesLegend, GivesMarksOnlyToLineThatHasThem) {
  const std::vector<LineStyle> styles =
      styles_of({.title = "Memory", .panels = {{"pages", {{"a"}, {"b", {}, true}}}}});
  EXPECT_EQ(styles[0].mark, std::nullopt);
  EXPECT_EQ(styles[1].mark, MarkShape::kSquare);
}

TEST(SeriesLegend, ShowsMarkOfLabelThatHasItInAnyPanel) {
  const Series series{.title = "Memory",
                      .panels = {{"pages", {{"a"}}}, {"faults", {{"a", {}, true}}}}};
  const std::vector<LegendItem> items = all_items(series);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].line->mark, MarkShape::kCircle);
}

TEST(SeriesLegend, DrawsFurtherLinesGreyWithOneItem) {
  const Series series = series_with(kMaxLabelsOfLines + 2);
  const std::vector<LineStyle> styles = styles_of(series);
  EXPECT_TRUE(is_same(styles[kMaxLabelsOfLines].stroke.colour, rgb(0xB4B4B4)));
  EXPECT_LT(styles[kMaxLabelsOfLines].stroke.width, styles[0].stroke.width);
  const std::vector<std::string> labels = labels_of(series);
  EXPECT_EQ(labels.size(), kMaxLabelsOfLines + 1);
  EXPECT_EQ(labels.back(), "2 more");
}

TEST(SeriesLegend, ListsEachStateOnceBySeverityAfterTheLines) {
  Series series = series_with(1);
  series.bands = {{0, 1, "thrashing", 3}, {1, 2, "idle", 0}, {2, 3, "thrashing", 3}};
  EXPECT_THAT(labels_of(series), ElementsAre("line 0", "idle", "thrashing"));
}

TEST(SeriesLegend, BeginsNewLineWithFirstState) {
  Series series = series_with(1);
  series.bands = {{0, 1, "idle", 0}, {1, 2, "thrashing", 3}};
  const std::vector<LegendItem> items = all_items(series);
  ASSERT_EQ(items.size(), 3U);
  EXPECT_FALSE(items[0].begins_line);
  EXPECT_TRUE(items[1].begins_line);
  EXPECT_FALSE(items[2].begins_line);
}

TEST(SeriesLegend, MarksBandWithItsOwnCharacterOrItsSeverity) {
  EXPECT_EQ(SeriesLegend::mark_of({0, 1, "paging", 2, 'p'}), 'p');
  EXPECT_EQ(SeriesLegend::mark_of({0, 1, "paging", 2}), '2');
  EXPECT_EQ(SeriesLegend::mark_of({0, 1, "paging", 99}), '5');
}

}  // namespace
}  // namespace physmem
