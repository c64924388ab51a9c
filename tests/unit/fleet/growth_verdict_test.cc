// SPDX-License-Identifier: MIT
// Which series of sizes grow, by the line through them.
#include "fleet/ask/growth_verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace physmem::fleet {
namespace {

constexpr double kMiB = 1024 * 1024;

/// The line through `samples` sizes, one a minute. `size`: bytes, of times from 0 to 1.
GrowthLine line_of(std::uint64_t samples, const std::function<double(double)>& size) {
  std::vector<double> times, sizes;
  double t = 0, x = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    times.push_back(static_cast<double>(i) * 60);
    sizes.push_back(size(static_cast<double>(i) / static_cast<double>(samples - 1)));
    t += times.back() / static_cast<double>(samples);
    x += sizes.back() / static_cast<double>(samples);
  }
  double tt = 0, tx = 0, xx = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    tt += (times[i] - t) * (times[i] - t);
    tx += (times[i] - t) * (sizes[i] - x);
    xx += (sizes[i] - x) * (sizes[i] - x);
  }
  return {samples, times.back(), tx / tt, xx > 0 ? tx * tx / (tt * xx) : 0};
}

GrowthVerdict verdict_of(std::uint64_t samples, const std::function<double(double)>& size) {
  return judge(line_of(samples, size));
}

double steady(double t) {
  return (100 + 40 * t) * kMiB;
}

TEST(GrowthVerdict, ConfidenceOfSteadyGrowthIsThatOfTheNumberOfSnapshots) {
  EXPECT_EQ(verdict_of(3, steady).confidence, Confidence::kLow);
  EXPECT_EQ(verdict_of(5, steady).confidence, Confidence::kMedium);
  EXPECT_EQ(verdict_of(8, steady).confidence, Confidence::kHigh);
  EXPECT_EQ(verdict_of(3000, steady).confidence, Confidence::kHigh);
}

TEST(GrowthVerdict, LittleGrowthIsNeverHigh) {
  const auto little = [](double t) { return 2.4 * t * kMiB; };
  EXPECT_TRUE(verdict_of(100, little).grows());
  EXPECT_EQ(verdict_of(100, little).confidence, Confidence::kMedium);
}

TEST(GrowthVerdict, GrowthOfAnAllocatorsGrainIsSmall) {
  EXPECT_EQ(verdict_of(100, [](double t) { return 0.2 * t * kMiB; }).reason, LeakReason::kSmall);
  EXPECT_EQ(verdict_of(100, [](double t) { return -t * kMiB; }).reason, LeakReason::kSmall);
  EXPECT_EQ(verdict_of(100, [](double) { return kMiB; }).reason, LeakReason::kSmall);
}

TEST(GrowthVerdict, ASeriesOfSecondsIsTooShort) {
  EXPECT_EQ(judge({5, 9, 1e6, 1}).reason, LeakReason::kTooShort);
  EXPECT_EQ(judge({3, 0, 0, 0}).reason, LeakReason::kTooShort);
}

TEST(GrowthVerdict, NoSingleStepGrows) {
  for (const std::uint64_t samples : {3, 4, 5, 8, 9, 100, 2016})
    for (std::uint64_t at = 1; at < samples; ++at) {
      const double share = (static_cast<double>(at) - 0.5) / static_cast<double>(samples - 1);
      const auto step = [&](double t) { return t < share ? kMiB : 1000 * kMiB; };
      EXPECT_FALSE(verdict_of(samples, step).grows()) << at << " of " << samples;
    }
}

TEST(GrowthVerdict, SawtoothAndEarlyGrowthDoNotGrow) {
  EXPECT_FALSE(verdict_of(500, [](double t) { return std::fmod(t, 0.5) * 1000 * kMiB; }).grows());
  EXPECT_FALSE(
      verdict_of(500, [](double t) { return 1000 * kMiB * (1 - std::exp(-t / 0.1)); }).grows());
}

TEST(GrowthVerdict, MemoryThatFluctuatesGrowsSeldom) {
  std::mt19937 dice(1);
  std::uniform_real_distribution<double> size(0, 1000 * kMiB);
  int grows = 0;
  for (int i = 0; i < 1000; ++i)
    grows += verdict_of(3 + static_cast<std::uint64_t>(i % 60), [&](double) {
               return size(dice);
             }).grows();
  EXPECT_LE(grows, 10);
}

TEST(GrowthVerdict, SteadyGrowthWithNoiseGrows) {
  std::mt19937 dice(2);
  std::normal_distribution<double> noise(0, 2 * kMiB);
  const GrowthVerdict verdict = verdict_of(200, [&](double t) { return steady(t) + noise(dice); });
  EXPECT_TRUE(verdict.grows());
  EXPECT_EQ(verdict.confidence, Confidence::kMedium);
}

}  // namespace
}  // namespace physmem::fleet
