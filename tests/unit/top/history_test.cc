// SPDX-License-Identifier: MIT
#include "top/model/history.h"

#include <gtest/gtest.h>

#include "tests/unit/top/top_round.h"

namespace physmem::top {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

TEST(History, KeepsEveryRoundOfTheLastTenMinutesAndOnePerTenSecondsOfTheHour) {
  History history;
  for (std::uint64_t second = 1000; second < 1000 + 2 * 3600; ++second)
    history.add(round_at(second, {some_process(1, "init", second)}));
  const std::uint64_t now = history.latest().uptime_ns;
  EXPECT_GE(history.at(0).uptime_ns, now - 3600 * kSecond);
  EXPECT_LE(history.at(0).uptime_ns, now - 3580 * kSecond) << "the hour is there";
  std::size_t dense = 0;
  for (std::size_t i = 1; i < history.size(); ++i) {
    const std::uint64_t step = history.at(i).uptime_ns - history.at(i - 1).uptime_ns;
    if (history.at(i - 1).uptime_ns >= now - 600 * kSecond)
      EXPECT_EQ(step, kSecond);
    else
      EXPECT_LE(step, 10 * kSecond);
    if (step == kSecond) ++dense;
  }
  EXPECT_GE(dense, 599u);
  EXPECT_LE(history.size(), 600u + 300u + 2u);
}

TEST(History, DropsTheOldestRoundsBeyondItsBytes) {
  HistoryLimits limits;
  limits.max_bytes = 20'000;
  History history(limits);
  for (std::uint64_t second = 0; second < 500; ++second)
    history.add(round_at(1000 + second, {some_process(1, "init", second)}));
  EXPECT_LE(history.bytes(), 20'000u);
  EXPECT_GT(history.size(), 10u);
  EXPECT_EQ(history.latest().uptime_ns, 1499 * kSecond);
}

TEST(History, FindsARoundByItsNumberOrTheNextOneThatIsKept) {
  HistoryLimits limits;
  limits.max_age_ns = 5 * kSecond;
  History history(limits);
  for (std::uint64_t second = 0; second < 20; ++second) history.add(round_at(1000 + second, {}));
  EXPECT_EQ(history.number(0), 14u);
  EXPECT_EQ(history.index_of(16), 2u);
  EXPECT_EQ(history.index_of(3), 0u) << "it was dropped";
  EXPECT_EQ(history.index_of(99), history.size() - 1);
}

TEST(History, OfAReplayKeepsEverything) {
  History history(HistoryLimits::none());
  for (std::uint64_t second = 0; second < 5000; ++second) history.add(round_at(second * 60, {}));
  EXPECT_EQ(history.size(), 5000u);
}

}  // namespace
}  // namespace physmem::top
