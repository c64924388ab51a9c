// SPDX-License-Identifier: MIT
#include "analyzer/analyze/persistence.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace physmem {
namespace {

/// One window of `seconds` a letter: E enters, s would stay, '.' neither. Returns '#' where it is
/// active.
std::string states(Persistence state, double seconds, std::string_view windows) {
  std::string text;
  for (const char window : windows) {
    state.add(seconds, window == 'E', window != '.');
    text += state.is_active() ? '#' : '-';
  }
  return text;
}

TEST(Persistence, IsEnteredWhenItHeldForHalfOfTheSpan) {
  EXPECT_EQ(states(Persistence(), 1, "EEE"), "--#");
  EXPECT_EQ(states(Persistence(), 1, "E.E.E"), "----#");
  EXPECT_EQ(states(Persistence(), 1, "E..E..E..E"), "----------");
}

TEST(Persistence, CountsALongWindowAsTheWholeSpan) {
  EXPECT_EQ(states(Persistence(), 5, "E"), "#");
  EXPECT_EQ(states(Persistence(), 60, ".E"), "-#");
}

TEST(Persistence, CountsShortWindowsByTheirTime) {
  EXPECT_EQ(states(Persistence(), 0.5, "EEEEE"), "----#");
}

TEST(Persistence, ForgivesASamplerThatIsALittleLateOrEarly) {
  EXPECT_EQ(states(Persistence({10, 10, 10}), 0.99, "EEEEEEEEEE"), "---------#");
}

TEST(Persistence, IsLeftWhenHalfTheLimitsWereNotReachedForTenSeconds) {
  EXPECT_EQ(states(Persistence(), 1, "EEE.........."),
            "--##########"
            "-");
  EXPECT_EQ(states(Persistence(), 1, "EEE.........s.........s"), "--" + std::string(21, '#'));
}

TEST(Persistence, StaysWhileTheMilderConditionHolds) {
  EXPECT_EQ(states(Persistence(), 1, "EEEssssssssssssssss"), "--" + std::string(17, '#'));
  EXPECT_EQ(states(Persistence(), 1, "sssssssss"), "---------");
}

TEST(Persistence, WantsTheWholeSpanWhenItIsToldSo) {
  EXPECT_EQ(states(Persistence({10, 10, 10}), 1, "EEEEEEEEE.EEEEEEEEEE"), "-------------------#");
}

TEST(Persistence, ForgetsAllWhenItIsReset) {
  Persistence state;
  for (int i = 0; i < 5; ++i) state.add(1, true, true);
  state.reset();
  EXPECT_FALSE(state.is_active());
  EXPECT_EQ(states(state, 1, "EEE"), "--#");
}

}  // namespace
}  // namespace physmem
