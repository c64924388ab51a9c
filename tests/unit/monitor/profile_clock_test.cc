// SPDX-License-Identifier: MIT
// Deadlines of samples: exact over any time, and without a burst after a pause.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <vector>

#include "formats/emit/profile_clock.h"

namespace physmem {
namespace {

using ::testing::ElementsAre;

std::vector<unsigned long> first_deadlines(unsigned int hz, int count) {
  pm_profile_clock clock{};
  pm_profile_clock_start(&clock, 0, hz);
  std::vector<unsigned long> deadlines;
  for (int i = 0; i < count; ++i) {
    deadlines.push_back(clock.jiffies);
    pm_profile_clock_advance(&clock, clock.jiffies, hz);
  }
  return deadlines;
}

TEST(ProfileClock, AlternatesPeriodsThatAreNotWholeJiffies) {
  EXPECT_THAT(first_deadlines(250, 5), ElementsAre(12, 25, 37, 50, 62));
  EXPECT_THAT(first_deadlines(100, 3), ElementsAre(5, 10, 15));
  EXPECT_THAT(first_deadlines(1000, 3), ElementsAre(50, 100, 150));
  EXPECT_THAT(first_deadlines(24, 5), ElementsAre(1, 2, 3, 4, 6));
}

class ProfileClockOf : public ::testing::TestWithParam<unsigned int> {};

TEST_P(ProfileClockOf, HasTwentyDeadlinesPerSecondForADayWithLateSamples) {
  const unsigned int hz = GetParam();
  pm_profile_clock clock{};
  pm_profile_clock_start(&clock, 0, hz);
  const unsigned long ticks = 24UL * 3600 * PM_PROFILE_HZ;
  for (unsigned long i = 1; i < ticks; ++i) {
    ASSERT_EQ(clock.jiffies, i * hz / PM_PROFILE_HZ);
    pm_profile_clock_advance(&clock, clock.jiffies + i % (hz / PM_PROFILE_HZ), hz);
  }
  EXPECT_EQ(clock.jiffies, 24UL * 3600 * hz);
}

TEST_P(ProfileClockOf, AdvancesToTheFirstDeadlineAfterNow) {
  const unsigned int hz = GetParam();
  for (unsigned long late = 0; late < 5UL * hz; ++late) {
    pm_profile_clock clock{};
    pm_profile_clock_start(&clock, 0, hz);
    const unsigned long now = clock.jiffies + late;
    pm_profile_clock_advance(&clock, now, hz);
    ASSERT_GT(clock.jiffies, now);
    ASSERT_LE(clock.jiffies, now + (hz + PM_PROFILE_HZ - 1) / PM_PROFILE_HZ);
    // The deadline is a multiple of the period, exact to the jiffy.
    const unsigned long twentieths = clock.jiffies * PM_PROFILE_HZ + clock.rest;
    ASSERT_EQ(twentieths % hz, 0u);
  }
}

TEST_P(ProfileClockOf, ContinuesAcrossAWrapOfJiffies) {
  const unsigned int hz = GetParam();
  pm_profile_clock clock{};
  const unsigned long start = ULONG_MAX - hz / 2;
  pm_profile_clock_start(&clock, start, hz);
  for (unsigned long i = 1; i < 100; ++i) {
    ASSERT_EQ(clock.jiffies - start, i * hz / PM_PROFILE_HZ);
    pm_profile_clock_advance(&clock, clock.jiffies, hz);
  }
}

INSTANTIATE_TEST_SUITE_P(HzOf, ProfileClockOf, ::testing::Values(100, 128, 250, 300, 1000, 1024),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace physmem
