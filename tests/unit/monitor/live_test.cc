// SPDX-License-Identifier: MIT
#include "tools/monitor/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem::monitor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Live, SelectsNewerSamples) {
  const Sample last{100, 0, 0, 0};
  EXPECT_THAT(newer_than(last, {{90, 1, 1, 1}, {100, 1, 1, 1}, {113, 1, 1, 1}}),
              ElementsAre(Sample{113, 1, 1, 1}));
  EXPECT_THAT(newer_than({4'294'967'290, 0, 0, 0},
                         {{4'294'967'277, 1, 1, 1}, {4'294'967'290, 1, 1, 1}, {7, 1, 1, 1}}),
              ElementsAre(Sample{7, 1, 1, 1}))
      << "jiffies wrapped";
  EXPECT_THAT(newer_than(last, {}), IsEmpty());
}

TEST(Live, ComputesRatesPerSecond) {
  const std::vector<Sample> samples = {{100, 300, 10, 5}, {150, 100, 10, 20}};
  const LiveRates rates = rates_of(samples, 0.5, 1000, CpuUnit::kJiffies);
  EXPECT_DOUBLE_EQ(rates.minor, 800);
  EXPECT_DOUBLE_EQ(rates.major, 40);
  EXPECT_NEAR(*rates.cpu_percent, 5, 1e-9);
  EXPECT_FALSE(rates_of(samples, 0.5, std::nullopt, CpuUnit::kJiffies).cpu_percent) << "no clock";
  EXPECT_TRUE(rates_of(samples, 0.5, std::nullopt, CpuUnit::kNanoseconds).cpu_percent);
}

TEST(Live, PrintsRatesInOneLine) {
  EXPECT_EQ(live_line({.minor = 1234, .major = 100, .cpu_percent = 12.34, .has_samples = true}),
            "minor       1234/s  major      100/s  CPU     12.3 %  |##########          |");
  EXPECT_THAT(live_line({.major = 0, .has_samples = true}),
              AllOf(HasSubstr("?"), HasSubstr("|                    |")));
  EXPECT_THAT(live_line({.major = 1e9, .has_samples = true}), HasSubstr("|####################|"));
  EXPECT_THAT(live_line({}), HasSubstr("no samples"));
}

}  // namespace
}  // namespace physmem::monitor
