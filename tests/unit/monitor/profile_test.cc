// SPDX-License-Identifier: MIT
#include "tools/monitor/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace physmem::monitor {
namespace {

using testing::ElementsAre;

std::vector<Sample> at(std::initializer_list<std::int64_t> jiffies) {
  std::vector<Sample> samples;
  for (const std::int64_t j : jiffies) samples.push_back({j, 1, 2, 3});
  return samples;
}

std::vector<std::int64_t> times(const std::vector<Sample>& samples) {
  std::vector<std::int64_t> times;
  for (const Sample& sample : samples) times.push_back(sample.jiffies);
  return times;
}

std::vector<Sample> every(std::int64_t step, int count) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) samples.push_back({4'294'900'000 + i * step, 10, 1, 5});
  return samples;
}

TEST(InOrderOfTime, PutsTheOlderHalfOfARingFirst) {
  EXPECT_THAT(times(in_order_of_time(at({130, 140, 100, 110, 120}))),
              ElementsAre(100, 110, 120, 130, 140));
  EXPECT_TRUE(in_order_of_time({}).empty());
}

TEST(InOrderOfTime, HandlesTheWrapOf32BitJiffies) {
  EXPECT_THAT(times(in_order_of_time(at({3, 16, 4'294'967'273, 4'294'967'286}))),
              ElementsAre(4'294'967'273, 4'294'967'286, 3, 16));
  EXPECT_THAT(
      times(in_order_of_time(at({2'147'483'640, -2'147'483'643, -2'147'483'630, 2'147'483'627}))),
      ElementsAre(2'147'483'627, 2'147'483'640, -2'147'483'643, -2'147'483'630))
      << "as %ld prints them on a 32-bit machine";
}

TEST(InOrderOfTime, Sorts64BitJiffiesByValue) {
  EXPECT_THAT(times(in_order_of_time(at({4'294'967'300, 4'294'967'290}))),
              ElementsAre(4'294'967'290, 4'294'967'300));
  EXPECT_THAT(times(in_order_of_time(at({-20, 5, -7}))), ElementsAre(-20, -7, 5))
      << "five minutes after boot";
}

TEST(InOrderOfTime, SortsValuesThatFitNo32BitCounterByValue) {
  EXPECT_THAT(times(in_order_of_time(at({4'294'967'290, -65'536, 0}))),
              ElementsAre(-65'536, 0, 4'294'967'290));
}

TEST(TicksBetween, CountsAcrossAWrapOfJiffies) {
  EXPECT_EQ(ticks_between({.jiffies = 100}, {.jiffies = 113}), 13U);
  EXPECT_EQ(ticks_between({.jiffies = 4'294'967'290}, {.jiffies = 7}), 13U);
  EXPECT_EQ(ticks_between({.jiffies = 2'147'483'640}, {.jiffies = -2'147'483'643}), 13U);
}

TEST(HzOf, IsDerivedFromTheDistanceBetweenSamples) {
  EXPECT_EQ(hz_of(every(5, 20)), 100U);
  EXPECT_EQ(hz_of(every(12, 20)), 250U);
  EXPECT_EQ(hz_of(every(13, 20)), 250U);
  EXPECT_EQ(hz_of(every(14, 20)), 250U) << "a module that re-arms its timer";
  EXPECT_EQ(hz_of(every(15, 20)), 300U);
  EXPECT_EQ(hz_of(every(51, 20)), 1000U);
}

TEST(HzOf, IsUnknownForImplausibleDistances) {
  EXPECT_EQ(hz_of({}), std::nullopt);
  EXPECT_EQ(hz_of(every(50, 1)), std::nullopt);
  EXPECT_EQ(hz_of(every(1, 20)), std::nullopt);
  EXPECT_EQ(hz_of(every(400, 20)), std::nullopt);
}

TEST(HzOf, IsNotAffectedByPauses) {
  std::vector<Sample> samples = every(50, 20);
  for (std::size_t i = 10; i < 20; ++i) samples[i].jiffies += 100'000;
  EXPECT_EQ(hz_of(samples), 1000U);
}

TEST(Profile, CountsTimeFromTheFirstSample) {
  const Profile profile(every(50, 21), std::nullopt, CpuUnit::kJiffies);
  EXPECT_DOUBLE_EQ(profile.seconds(0), 0);
  EXPECT_DOUBLE_EQ(profile.seconds(20), 1);
  const Totals totals = profile.totals();
  EXPECT_EQ(totals.minor, 210);
  EXPECT_EQ(totals.major, 21);
  EXPECT_DOUBLE_EQ(totals.seconds, 1.05) << "the first sample belongs to the 50 ms before it";
  EXPECT_NEAR(totals.cpu_percent(), 10, 1e-9);
  EXPECT_NEAR(profile.cpu_percent(3), 10, 1e-9);
}

TEST(Profile, SupportsBothUnitsOfCpuTime) {
  std::vector<Sample> samples = every(50, 21);
  for (Sample& sample : samples) sample.cpu = 25'000'000;
  EXPECT_NEAR(Profile(samples, std::nullopt, CpuUnit::kNanoseconds).totals().cpu_percent(), 50,
              1e-9);
  EXPECT_FALSE(Profile(samples, std::nullopt, CpuUnit::kNanoseconds).has_doubtful_unit());
  EXPECT_TRUE(Profile(samples, std::nullopt, CpuUnit::kJiffies).has_doubtful_unit());
}

TEST(Profile, UsesTheNominalPeriodAfterAPause) {
  std::vector<Sample> samples = every(50, 21);
  samples[20].jiffies += 10'000;
  EXPECT_NEAR(Profile(samples, std::nullopt, CpuUnit::kJiffies).cpu_percent(20), 10, 1e-9);
}

TEST(Profile, HasTotalsForZeroOrOneSample) {
  const Profile none({}, std::nullopt, CpuUnit::kJiffies);
  EXPECT_TRUE(none.has_clock());
  EXPECT_EQ(none.totals().seconds, 0);
  EXPECT_EQ(none.totals().cpu_percent(), 0);
  EXPECT_DOUBLE_EQ(Profile(every(50, 1), 250, CpuUnit::kJiffies).totals().seconds, 0.05);
  EXPECT_FALSE(Profile(every(1, 9), std::nullopt, CpuUnit::kJiffies).has_clock());
}

TEST(Profile, AcceptsExtremeValues) {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const Profile profile({{kMax, kMax, kMax, kMax}, {kMin, kMin, kMin, kMin}, {0, kMax, kMax, kMax}},
                        250, CpuUnit::kJiffies);
  EXPECT_GT(profile.totals().seconds, 0);
}

}  // namespace
}  // namespace physmem::monitor
