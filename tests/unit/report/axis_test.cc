// SPDX-License-Identifier: MIT
#include "analyzer/report/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

namespace physmem {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Axis::Tick& tick : axis.ticks)
    if (!tick.text.empty()) texts.push_back(tick.text);
  return texts;
}

TEST(Axis, EndsAtTheExtremesOfTheNumbers) {
  const Axis axis = tight_axis({3, 61}, 6);
  EXPECT_EQ(axis.min, 3);
  EXPECT_EQ(axis.max, 61);
  EXPECT_THAT(texts(axis), ElementsAre("10", "20", "30", "40", "50", "60"));
}

TEST(Axis, HasTicksAtWholeLocalTimes) {
  const auto texts_in = [](const char* zone, double seconds, std::size_t limit) {
    ::setenv("TZ", zone, 1);
    ::tzset();
    constexpr std::int64_t kBefore = 1763682989;  // 2025-11-20 23:56:29 UTC
    return texts(clock_axis({0, seconds}, kBefore, limit));
  };
  EXPECT_THAT(texts_in("UTC", 86, 5), ElementsAre("23:56:30", "23:57:00", "23:57:30"));
  EXPECT_THAT(texts_in("UTC", 300, 6), ElementsAre("23:57", "23:58", "23:59", "11-21", "00:01"));
  EXPECT_THAT(texts_in("IST-5:30", 7200, 3), ElementsAre("06:00", "07:00"));
  EXPECT_THAT(texts_in("UTC", 5 * 86400, 3), ElementsAre("11-22", "11-24"));
  EXPECT_THAT(texts_in("UTC", 0.5, 3), ElementsAre("23:56:29"));
  ::unsetenv("TZ");
  ::tzset();
}

TEST(Axis, UsesWholeStepsOnRequest) {
  EXPECT_THAT(texts(tight_axis({0.9, 3.1}, 10, 1)), ElementsAre("1", "2", "3"));
}

TEST(Axis, BeginsAtZeroAndEndsOnATick) {
  const Axis axis = rounded_axis({310, 880}, 5);
  EXPECT_EQ(axis.min, 0);
  EXPECT_EQ(axis.max, 1000);
  EXPECT_THAT(texts(axis), ElementsAre("0", "200", "400", "600", "800", "1000"));
}

TEST(Axis, ShowsSmallDifferencesOfLargeNumbers) {
  EXPECT_THAT(texts(rounded_axis({1'000'000.1, 1'000'000.3}, 3)),
              ElementsAre("1000000.1", "1000000.2", "1000000.3"));
}

TEST(Axis, ShortensLargeNumbersWithOneSuffix) {
  EXPECT_THAT(texts(rounded_axis({0, 2e12}, 4)), ElementsAre("0", "0.5T", "1.0T", "1.5T", "2.0T"));
  EXPECT_THAT(texts(rounded_axis({0, 40'000}, 2)), ElementsAre("0", "20k", "40k"));
  EXPECT_THAT(texts(rounded_axis({0, 9'000}, 2)), ElementsAre("0", "5k", "10k"));
}

TEST(Axis, ConvertsBetweenValueAndPosition) {
  for (const Axis& axis : {tight_axis({3, 61}, 6), logarithmic_axis({2, 3'000}, 6)}) {
    EXPECT_DOUBLE_EQ(axis.value(0), axis.min);
    EXPECT_DOUBLE_EQ(axis.value(1), axis.max);
    for (const double part : {0.1, 0.5, 0.9}) EXPECT_NEAR(axis.part(axis.value(part)), part, 1e-12);
  }
  EXPECT_NEAR(logarithmic_axis({1, 100}, 6).value(0.5), 10, 1e-9);
}

TEST(Axis, CoversNegativeSingleAndMissingNumbers) {
  EXPECT_THAT(texts(rounded_axis({-5, 4}, 5)), ElementsAre("-6", "-4", "-2", "0", "2", "4"));
  EXPECT_EQ(rounded_axis({7, 7}, 5).min, 0);
  EXPECT_GE(rounded_axis({7, 7}, 5).max, 7);
  EXPECT_EQ(rounded_axis({0, 0}, 5).max, 1);
  EXPECT_EQ(rounded_axis({}, 5).max, 1);
}

TEST(Axis, HasFewTicksForAnyNumbers) {
  for (const double min : {-1e200, -1.0, 0.0, 1e-200, 1.0, 1e15, 1e200})
    for (const double more : {0.0, 1e-200, 1e-9, 1.0, 1e15, 1e200})
      for (const Axis& axis :
           {tight_axis({min, min + more}, 10), rounded_axis({min, min + more}, 10)}) {
        EXPECT_LE(axis.ticks.size(), 14U) << min << " + " << more;
        EXPECT_LT(axis.min, axis.max) << min << " + " << more;
        EXPECT_GE(axis.part(min), -1e-6);
        EXPECT_LE(axis.part(min + more), 1 + 1e-6);
      }
}

TEST(Axis, UsesWholePowersOnALogarithmicScale) {
  const Axis axis = logarithmic_axis({0.4, 13'000}, 10);
  EXPECT_THAT(texts(axis), ElementsAre("0.1", "1", "10", "100", "1000", "10k", "100k"));
  EXPECT_DOUBLE_EQ(axis.part(0.1), 0);
  EXPECT_DOUBLE_EQ(axis.part(std::sqrt(0.1 * 1e5)), 0.5);
  EXPECT_THAT(texts(logarithmic_axis({5, 5}, 10)), ElementsAre("1", "10"));
  EXPECT_LE(texts(logarithmic_axis({1e-200, 1e200}, 10)).size(), 12U);
}

TEST(Axis, RejectsNanAndInfinity) {
  EXPECT_TRUE(is_drawable(-1e100));
  EXPECT_FALSE(is_drawable(std::nan("")));
  EXPECT_FALSE(is_drawable(HUGE_VAL));
}

}  // namespace
}  // namespace physmem
