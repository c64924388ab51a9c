// SPDX-License-Identifier: MIT
#include "top/screen/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "program/duration.h"
#include "tests/unit/top/top_round.h"
#include "top/screen/frame.h"
#include "top/screen/layout.h"
#include "top/screen/time_bar.h"

namespace physmem::top {
namespace {

using testing::HasSubstr;
using Kind = Key::Kind;

/// Presses keys on a history of three rounds with 30 processes, of which the last are the largest.
class KeysTest : public testing::Test {
 protected:
  KeysTest() {
    for (std::uint64_t second = 100; second < 103; ++second) {
      std::vector<ProcessState> processes;
      for (std::uint64_t pid = 1; pid <= 30; ++pid)
        processes.push_back(some_process(pid, "p" + std::to_string(pid), pid * 10));
      history_.add(round_at(second, std::move(processes)));
    }
  }

  Shown shown() { return look_at(history_, view_, user_of); }
  Request press(const Key& key) {
    const Shown now = shown();
    frame(now, view_);
    return top::press(key, now, history_, view_);
  }
  Request type(const std::string& text) {
    Request last = Request::kNothing;
    for (const char c : text) last = press({Kind::kText, std::string(1, c)});
    return last;
  }
  std::uint64_t selected() { return shown().rows.at(view_.cursor).process->pid; }

  History history_;
  View view_;
};

/// Noon of 2025-11-21 UTC, and a minute between samples.
constexpr std::uint64_t kNoon = 1'763'726'400, kMinute = 60;

class KeysOfTimeTest : public KeysTest {
 protected:
  KeysOfTimeTest() {
    ::setenv("TZ", "UTC0", 1);
    ::tzset();
    history_ = History();
    for (const Level level : {Level::kIdle, Level::kReclaim, Level::kThrashing, Level::kRecovering,
                              Level::kIdle, Level::kRefaulting}) {
      Round round = round_at(1000 + history_.size() * kMinute, {some_process(1, "p", 10)});
      round.time_ns = (kNoon + history_.size() * kMinute) * kSecondNs;
      round.verdict.emplace().level = level;
      history_.add(std::move(round));
    }
    view_.at_round = history_.number(0);
  }
  std::size_t index() { return shown().index; }
};

TEST_F(KeysOfTimeTest, GoToATime) {
  type("g12:03");
  press({Kind::kEnter});
  EXPECT_EQ(index(), 3u);
  type("g12:02:59");
  press({Kind::kEnter});
  EXPECT_EQ(index(), 2u) << "the last sample up to then";
  type("g2025-11-21 11:00");
  press({Kind::kEnter});
  EXPECT_EQ(index(), 2u) << "before the recording";
  EXPECT_THAT(view_.message, HasSubstr("expected a time from 2025-11-21 12:00:00"));
  type("g23:00");
  press({Kind::kEnter});
  EXPECT_THAT(view_.message, HasSubstr("found 2025-11-20 23:00:00")) << "of the day before";
  type("gnoon");
  press({Kind::kEnter});
  EXPECT_THAT(view_.message, HasSubstr("\"noon\": expected a time such as 03:00"));
}

TEST_F(KeysOfTimeTest, GoToEvents) {
  type("]");
  EXPECT_EQ(index(), 2u);
  type("]");
  EXPECT_EQ(index(), 5u) << "a lower level is no event";
  type("]");
  EXPECT_EQ(index(), 5u);
  EXPECT_THAT(view_.message, HasSubstr("no later event"));
  type("[");
  EXPECT_EQ(index(), 2u);
}

TEST_F(KeysOfTimeTest, AreShownInABar) {
  EXPECT_EQ(plain_text(time_bar(history_, 2, 80)), "12:00 [.-3R.2] 12:05");
  EXPECT_EQ(plain_text(time_bar(history_, 2, 17)), "12:00 [-32] 12:05") << "the highest of two";
  EXPECT_EQ(time_bar(history_, 2, 80).at(2).style, Style::kSelected);
}

TEST_F(KeysTest, PauseOnlyWhereItIsShown) {
  type("h ");
  EXPECT_FALSE(view_.at_round);
  type("h ");
  EXPECT_TRUE(view_.at_round);
}

TEST_F(KeysTest, MoveTheCursorWithinTheTable) {
  EXPECT_EQ(selected(), 30u);
  press({Kind::kDown});
  press({Kind::kDown});
  EXPECT_EQ(selected(), 28u);
  press({Kind::kUp});
  EXPECT_EQ(selected(), 29u);
  press({Kind::kEnd});
  EXPECT_EQ(selected(), 1u);
  shown();
  EXPECT_EQ(view_.first, 30 - table_rows(view_)) << "it scrolls";
  press({Kind::kHome});
  press({Kind::kPageDown});
  EXPECT_EQ(view_.cursor, table_rows(view_));
  press({Kind::kPageUp});
  press({Kind::kPageUp});
  EXPECT_EQ(view_.cursor, 0u);
}

TEST_F(KeysTest, ChangeTheOrder) {
  type(">");
  EXPECT_EQ(view_.order.key, SortKey::kRss);
  type("<<");
  EXPECT_EQ(view_.order.key, SortKey::kUss);
  view_.order.key = SortKey::kPid;
  type("r");
  EXPECT_EQ(selected(), 30u);
  type("<");
  EXPECT_EQ(view_.order.key, SortKey::kCommand) << "after the first column comes the last";
}

TEST_F(KeysTest, ClickOnAHeadingSortsAndAgainReverses) {
  std::size_t x = 0;
  for (const TableColumn& column : table_columns(view_.width, false))
    if (column.key == SortKey::kRss) x = column.start + 1;
  press({Kind::kClick, "", x, kSummaryLines});
  EXPECT_EQ(view_.order.key, SortKey::kRss);
  EXPECT_FALSE(view_.order.is_reversed);
  press({Kind::kClick, "", x, kSummaryLines});
  EXPECT_TRUE(view_.order.is_reversed);
  EXPECT_EQ(selected(), 1u);
}

TEST_F(KeysTest, ClickOnARowSelectsIt) {
  press({Kind::kClick, "", 3, kSummaryLines + kHeadingLines + 4});
  EXPECT_EQ(selected(), 26u);
  press({Kind::kWheelDown});
  EXPECT_EQ(selected(), 23u);
}

TEST_F(KeysTest, SearchGoesToTheNextMatch) {
  type("/p1");
  EXPECT_EQ(selected(), 19u);
  press({Kind::kEnter});
  type("n");
  EXPECT_EQ(selected(), 18u);
  type("/zzz");
  press({Kind::kEnter});
  EXPECT_THAT(view_.message, HasSubstr("\"zzz\" was not found"));
  EXPECT_EQ(selected(), 18u);
}

TEST_F(KeysTest, FilterAppliesWhileItIsTypedAndEscapeClearsIt) {
  type("fp2");
  EXPECT_EQ(shown().rows.size(), 11u) << "p2 and p20 to p29";
  press({Kind::kBackspace});
  EXPECT_EQ(shown().rows.size(), 30u);
  type("30");
  press({Kind::kEnter});
  EXPECT_EQ(shown().rows.size(), 1u);
  press({Kind::kEscape});
  EXPECT_EQ(shown().rows.size(), 30u);
}

TEST_F(KeysTest, BackspaceRemovesAWholeCharacter) {
  type("f");
  press({Kind::kText, "a"});
  press({Kind::kText, "é"});
  press({Kind::kBackspace});
  EXPECT_EQ(view_.input, "a");
}

TEST_F(KeysTest, FollowKeepsTheCursorOnAProcess) {
  press({Kind::kDown});
  type("F");
  EXPECT_EQ(view_.followed, 29u);
  view_.order = {SortKey::kPid, false};
  EXPECT_EQ(selected(), 29u);
  press({Kind::kUp});
  EXPECT_FALSE(view_.followed) << "moving the cursor ends it";
}

TEST_F(KeysTest, StepThroughTheSamples) {
  type("t");
  EXPECT_EQ(view_.at_round, 1u);
  EXPECT_EQ(shown().now->uptime_ns, 101'000'000'000u);
  EXPECT_EQ(shown().age_ns, 1'000'000'000u);
  type("t");
  type("t");
  EXPECT_EQ(view_.at_round, 0u);
  EXPECT_THAT(view_.message, HasSubstr("first sample"));
  type("T");
  EXPECT_EQ(view_.at_round, 1u);
  type("l");
  EXPECT_FALSE(view_.at_round);
}

TEST_F(KeysTest, PauseStaysAtTheSample) {
  type("p");
  history_.add(round_at(103, {}));
  EXPECT_EQ(shown().rows.size(), 30u);
  type("p");
  EXPECT_EQ(shown().rows.size(), 0u);
}

TEST_F(KeysTest, EnterOpensAProcessAndEscapeReturns) {
  EXPECT_EQ(press({Kind::kEnter}), Request::kDetails);
  EXPECT_EQ(view_.page, Page::kProcess);
  EXPECT_EQ(view_.pid, 30u);
  EXPECT_EQ(type("u"), Request::kDetails);
  press({Kind::kEscape});
  EXPECT_EQ(view_.page, Page::kTable);
}

TEST_F(KeysTest, EnterOpensAndClosesACgroup) {
  type("c");
  EXPECT_EQ(shown().rows.size(), 31u);
  press({Kind::kEnter});
  EXPECT_EQ(shown().rows.size(), 1u);
  press({Kind::kEnter});
  EXPECT_EQ(shown().rows.size(), 31u);
}

TEST_F(KeysTest, ChangeTheInterval) {
  EXPECT_EQ(type("+"), Request::kInterval);
  EXPECT_EQ(view_.interval_ns, 2'000'000'000u);
  type("--");
  EXPECT_EQ(view_.interval_ns, 500'000'000u);
  for (int i = 0; i < 9; ++i) type("-");
  EXPECT_EQ(view_.interval_ns, 100'000'000u);
  for (int i = 0; i < 20; ++i) type("+");
  EXPECT_EQ(view_.interval_ns, 60'000'000'000u);
}

TEST_F(KeysTest, QuitAndHelp) {
  type("h");
  EXPECT_EQ(view_.page, Page::kHelp);
  press({Kind::kEscape});
  EXPECT_EQ(view_.page, Page::kTable);
  type("q");
  EXPECT_TRUE(view_.is_over);
}

TEST_F(KeysTest, DoNothingWithoutRows) {
  view_.selection.filter = TextFilter("nothing");
  for (const Kind kind : {Kind::kUp, Kind::kDown, Kind::kEnd, Kind::kEnter, Kind::kClick})
    press({kind, "", 3, 7});
  type("nF/x");
  EXPECT_EQ(view_.page, Page::kTable);
}

}  // namespace
}  // namespace physmem::top
