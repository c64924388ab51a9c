// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/persistence.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace physmem {
namespace {

/// Each letter of `windows` is a window of `seconds`: E meets the enter condition, s only the
/// milder one, '.' neither. Returns '#' for each window after which the state is active.
std::string states(Persistence state, double seconds, std::string_view windows) {
  std::string text;
  for (const char window : windows) {
    state.add(seconds, window == 'E', window != '.');
    text += state.is_active() ? '#' : '-';
  }
  return text;
}

TEST(Persistence, BecomesActiveAfterConditionHeldForHalfOfSpan) {
  EXPECT_EQ(states(Persistence(), 1, "EEE"), "--#");
  EXPECT_EQ(states(Persistence(), 1, "E.E.E"), "----#");
  EXPECT_EQ(states(Persistence(), 1, "E..E..E..E"), "----------");
}

TEST(Persistence, TreatsLongWindowAsWholeSpan) {
  EXPECT_EQ(states(Persistence(), 5, "E"), "#");
  EXPECT_EQ(states(Persistence(), 60, ".E"), "-#");
}

TEST(Persistence, WeightsShortWindowsByDuration) {
  EXPECT_EQ(states(Persistence(), 0.5, "EEEEE"), "----#");
}

TEST(Persistence, AcceptsSlightlyShortWindows) {
  EXPECT_EQ(states(Persistence({10, 10, 10}), 0.99, "EEEEEEEEEE"), "---------#");
}

TEST(Persistence, BecomesInactiveAfterTenSecondsBelowMilderCondition) {
  EXPECT_EQ(states(Persistence(), 1, "EEE.........."),
            "--##########"
            "-");
  EXPECT_EQ(states(Persistence(), 1, "EEE.........s.........s"), "--" + std::string(21, '#'));
}

TEST(Persistence, StaysActiveWhileMilderConditionHolds) {
  EXPECT_EQ(states(Persistence(), 1, "EEEssssssssssssssss"), "--" + std::string(17, '#'));
  EXPECT_EQ(states(Persistence(), 1, "sssssssss"), "---------");
}

TEST(Persistence, RequiresWholeSpanIfConfigured) {
  EXPECT_EQ(states(Persistence({10, 10, 10}), 1, "EEEEEEEEE.EEEEEEEEEE"), "-------------------#");
}

TEST(Persistence, ResetsToInitialState) {
  Persistence state;
  for (int i = 0; i < 5; ++i) state.add(1, true, true);
  state.reset();
  EXPECT_FALSE(state.is_active());
  EXPECT_EQ(states(state, 1, "EEE"), "--#");
}

}  // namespace
}  // namespace physmem
