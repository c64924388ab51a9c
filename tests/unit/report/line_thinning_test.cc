// SPDX-License-Identifier: MIT
#include "analyzer/report/line_thinning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const double kGap = std::nan("");

TEST(Thinned, KeepsAShortSeriesUnchanged) {
  EXPECT_THAT(thinned({{0, 5}, {1, 7}, {2, 6}}, 1),
              ElementsAre(ElementsAre(Pair(0, 5), Pair(1, 7), Pair(2, 6))));
  EXPECT_THAT(thinned({}, 1), IsEmpty());
}

TEST(Thinned, KeepsFirstLowestHighestAndLastOfAColumn) {
  EXPECT_THAT(
      thinned({{0, 5}, {1, 6}, {2, 9}, {3, 8}, {4, 1}, {5, 4}, {6, 5}, {10, 0}}, 10),
      ElementsAre(ElementsAre(Pair(0, 5), Pair(2, 9), Pair(4, 1), Pair(6, 5), Pair(10, 0))));
}

TEST(Thinned, KeepsNoPointTwice) {
  EXPECT_THAT(thinned({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, 10),
              ElementsAre(ElementsAre(Pair(0, 1), Pair(4, 5))));
}

TEST(Thinned, KeepsVisibleGapsAndPointsBetweenThem) {
  EXPECT_THAT(
      thinned({{0, 1}, {1, kGap}, {2, 5}, {3, kGap}, {4, 1}}, 1),
      ElementsAre(ElementsAre(Pair(0, 1)), ElementsAre(Pair(2, 5)), ElementsAre(Pair(4, 1))));
  EXPECT_THAT(thinned({{0, 1}, {0.1, kGap}, {0.2, 5}}, 1),
              ElementsAre(ElementsAre(Pair(0, 1), Pair(0.2, 5))));
  EXPECT_THAT(thinned({{0, kGap}, {1, HUGE_VAL}}, 1), IsEmpty());
}

TEST(Thinned, KeepsTheExtremesOfEveryColumnOfALongSeries) {
  LineRun points;
  for (int i = 0; i < 100'000; ++i) points.emplace_back(i, i == 77'777 ? 1000 : i % 97);
  const auto runs = thinned(points, 100);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_LE(runs[0].size(), 4000U);
  EXPECT_THAT(runs[0], testing::Contains(Pair(77'777, 1000)));
  EXPECT_EQ(runs[0].front(), points.front());
  EXPECT_EQ(runs[0].back(), points.back());
}

}  // namespace
}  // namespace physmem
