// SPDX-License-Identifier: MIT
// The line fit through samples, and the rules that decide whether growth is a leak. Each rule has a
// case on either side of its limit.
#include "analyzer/analyze/time/leak_verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace physmem {
namespace {

TEST(LineFit, MatchesTextbookSlopeAndStandardError) {
  // For x 1…5 and y 2 4 5 4 5: Sxx is 10, Sxy is 6, the residuals are -0.8 0.6 1 -0.6 -0.2, and
  // the sum of their squares is 2.4.
  const std::vector<double> x{1, 2, 3, 4, 5};
  const std::vector<double> y{2, 4, 5, 4, 5};
  const LineFit fit = fit_line(x, y);
  EXPECT_DOUBLE_EQ(fit.slope, 0.6);
  EXPECT_DOUBLE_EQ(fit.at_zero, 2.2);
  EXPECT_DOUBLE_EQ(fit.error, std::sqrt(2.4 / 3 / 10));
  EXPECT_NEAR(fit.half_width, 3.182 * fit.error, 1e-12);
}

TEST(LineFit, MatchesPrintedTableOfStudentsT) {
  const std::pair<std::size_t, double> kPrinted[] = {
      {1, 12.706}, {2, 4.303}, {10, 2.228}, {11, 2.201}, {20, 2.086}, {30, 2.042}, {120, 1.980}};
  for (const auto& [degrees, t] : kPrinted) EXPECT_NEAR(t_quantile(degrees), t, 0.001) << degrees;
}

/// The verdict on samples at 0, 1, 2 … s.
LeakVerdict judged(std::vector<double> pages, bool is_of_file = false,
                   bool is_shared_memory = false) {
  std::vector<double> time;
  for (std::size_t i = 0; i < pages.size(); ++i) time.push_back(static_cast<double>(i));
  return judge({time, pages, is_of_file, is_shared_memory});
}

std::vector<double> samples(std::size_t n, const std::function<double(double)>& pages_at) {
  std::vector<double> pages;
  for (std::size_t i = 0; i < n; ++i) pages.push_back(pages_at(static_cast<double>(i)));
  return pages;
}

TEST(LeakVerdict, ReportsSteadyGrowthToTheEndAsLeak) {
  const LeakVerdict v = judged(samples(10, [](double t) { return 50 + 100 * t; }));
  EXPECT_EQ(v.reason, LeakReason::kLeak);
  EXPECT_DOUBLE_EQ(v.fit.slope, 100);
  EXPECT_DOUBLE_EQ(v.growth, 900);
  EXPECT_DOUBLE_EQ(v.fall, 0);
  EXPECT_NEAR(v.late_rate, 100, 1e-9);
  EXPECT_EQ(v.confidence, Confidence::kHigh);
}

TEST(LeakVerdict, RatesConfidenceBySamplesAndNoise) {
  const auto line = [](double t) { return 100 * t; };
  EXPECT_EQ(judged(samples(8, line)).confidence, Confidence::kHigh);
  EXPECT_EQ(judged(samples(7, line)).confidence, Confidence::kMedium);
  EXPECT_EQ(judged(samples(5, line)).confidence, Confidence::kMedium);
  EXPECT_EQ(judged(samples(4, line)).confidence, Confidence::kLow);
  EXPECT_EQ(judged(samples(3, line)).confidence, Confidence::kLow);
  EXPECT_EQ(judged(samples(8, line), false, true).confidence, Confidence::kMedium)
      << "shared memory";
  // Every second sample is 140 pages too high. After each such sample, 40 pages are given back.
  const auto noisy = [](double t) { return 100 * t + 140 * std::fmod(t, 2); };
  EXPECT_EQ(judged(samples(10, noisy)).reason, LeakReason::kLeak);
  EXPECT_EQ(judged(samples(10, noisy)).confidence, Confidence::kMedium);
}

TEST(LeakVerdict, RequiresThreeSamples) {
  EXPECT_EQ(judged({}).reason, LeakReason::kTooFewSamples);
  EXPECT_EQ(judged({0, 1000}).reason, LeakReason::kTooFewSamples);
  EXPECT_EQ(judged({0, 1000, 2000}).reason, LeakReason::kLeak);
}

TEST(LeakVerdict, IsUncertainIfThreeSamplesAreNotALine) {
  EXPECT_EQ(judged({0, 200, 1000}).reason, LeakReason::kUncertain);
  EXPECT_EQ(judged({0, 0, 1000}).reason, LeakReason::kUncertain);
}

TEST(LeakVerdict, DoesNotReportFilesOrSmallGrowth) {
  const auto line = [](double t) { return 100 * t; };
  EXPECT_EQ(judged(samples(10, line), true).reason, LeakReason::kOfFile);
  EXPECT_EQ(judged(samples(10, [](double t) { return 7 * t; })).reason, LeakReason::kSmall);
  EXPECT_EQ(judged(samples(10, [](double t) { return 7.2 * t; })).reason, LeakReason::kLeak);
  EXPECT_EQ(judged(samples(10, [](double t) { return -100 * t; })).reason, LeakReason::kSmall);
}

TEST(LeakVerdict, MeasuresSmallGrowthInBytes) {
  const std::vector<double> time{0, 1, 2, 3};
  const auto judged_of = [&](double step, double page_size) {
    const std::vector<double> pages{0, step, 2 * step, 3 * step};
    return judge({time, pages, false, false, false, page_size}).reason;
  };
  EXPECT_EQ(judged_of(6, 16384), LeakReason::kLeak) << "288 KiB";
  EXPECT_EQ(judged_of(5, 16384), LeakReason::kSmall) << "240 KiB";
  EXPECT_EQ(judged_of(6, 4096), LeakReason::kSmall);
  EXPECT_EQ(judged_of(3, 65536), LeakReason::kLeak);
  EXPECT_EQ(judged_of(2, 65536), LeakReason::kSmall) << "384 KiB, but six pages";
}

TEST(LeakVerdict, DoesNotReportGrowthThatIsGivenBack) {
  const auto saw_tooth = [](double t) { return 600 * std::fmod(t, 2.7) / 2.7; };
  for (std::size_t n = 5; n < 30; ++n)
    EXPECT_NE(judged(samples(n, saw_tooth)).reason, LeakReason::kLeak) << n;
  EXPECT_EQ(judged({0, 300, 600, 900, 1200, 1500, 1000, 1700, 2000, 2300}).reason,
            LeakReason::kLeak);
  EXPECT_EQ(judged({0, 300, 600, 900, 1200, 1500, 900, 1600, 2000, 2300}).reason,
            LeakReason::kGivesBack);
}

TEST(LeakVerdict, DoesNotReportGrowthThatLevelsOff) {
  // First, growth in the first 4 of 14 s. Then growth that decays exponentially.
  EXPECT_EQ(judged(samples(15, [](double t) { return std::min(t, 4.0) * 375; })).reason,
            LeakReason::kLevelsOff);
  const auto dying = [](double constant) {
    return [constant](double t) { return 1000 * (1 - std::exp(-t / constant)); };
  };
  EXPECT_EQ(judged(samples(15, dying(7))).reason, LeakReason::kLevelsOff) << "2 time constants";
  EXPECT_EQ(judged(samples(15, dying(10))).reason, LeakReason::kLeak)
      << "1.4 time constants: too early to distinguish";
}

TEST(LeakVerdict, DoesNotReportGrowthInOneOrTwoSteps) {
  EXPECT_EQ(judged(samples(15, [](double t) { return t < 11 ? 0 : 1000; })).reason,
            LeakReason::kOneStep);
  EXPECT_EQ(judged(samples(16, [](double t) { return t < 3    ? 0.0
                                                     : t < 12 ? 500
                                                              : 1000; })).reason,
            LeakReason::kOneStep);
  // A leak that grows in blocks.
  EXPECT_EQ(judged(samples(16, [](double t) { return std::floor(t / 3) * 200; })).reason,
            LeakReason::kLeak);
}

TEST(LeakVerdict, FindsALeakUnderChurn) {
  const double kChurn[] = {0,  120,  -80, 60, 150, -110, 30,  -40,
                           90, -140, 20,  70, -60, 110,  -20, 40};
  const auto churned = [&](double t) {
    return 300 + 100 * t + kChurn[static_cast<std::size_t>(t)];
  };
  const LeakVerdict v = judged(samples(16, churned));
  EXPECT_EQ(v.reason, LeakReason::kLeak);
  EXPECT_NEAR(v.fit.slope, 100, v.fit.half_width);
  for (std::size_t n = 3; n <= 16; ++n)
    EXPECT_NE(
        judged(samples(n, [&](double t) { return 300 + kChurn[static_cast<std::size_t>(t)]; }))
            .reason,
        LeakReason::kLeak)
        << "churn alone, " << n;
}

/// The number of leaks reported in 5000 series of `n` samples that `next` generates.
int leaks_of_5000(std::size_t n, const std::function<double(std::mt19937&, double before)>& next) {
  std::mt19937 random(1);
  int leaks = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<double> pages{20000};
    while (pages.size() < n) pages.push_back(next(random, pages.back()));
    leaks += judged(pages).is_leak() ? 1 : 0;
  }
  return leaks;
}

TEST(LeakVerdict, RarelyReportsNoiseOrRandomWalkAsLeak) {
  const auto waver = [](std::mt19937& random, double) {
    return 20000 + 100 * std::normal_distribution<>()(random);
  };
  const auto walk = [](std::mt19937& random, double before) {
    return before + 100 * std::normal_distribution<>()(random);
  };
  EXPECT_LT(leaks_of_5000(3, waver), 150);
  EXPECT_LT(leaks_of_5000(5, waver), 15);
  EXPECT_LT(leaks_of_5000(8, waver), 4);
  for (const std::size_t n : {3, 8, 15, 30}) EXPECT_LT(leaks_of_5000(n, walk), 200) << n;
}

TEST(LeakVerdict, AcceptsSamplesAtUnequalIntervals) {
  // Samples of one line: first rare, then frequent.
  const std::vector<double> time{0, 10, 11, 12, 13, 14, 15};
  std::vector<double> pages;
  for (const double t : time) pages.push_back(40 * t);
  EXPECT_EQ(judge({time, pages}).reason, LeakReason::kLeak);
}

}  // namespace
}  // namespace physmem
