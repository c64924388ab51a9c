// SPDX-License-Identifier: MIT
// Messages to a page, without a socket. The tests pass the time as a number.
#include "viewer/live_view.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/unit/viewer/page_client.h"
#include "tests/unit/viewer/synthetic_source.h"

namespace physmem::view {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

class LiveViewTest : public testing::Test {
 protected:
  /// Feeds `n` events at 1000 per second.
  void feed(std::uint64_t n) {
    if (fed_ == 0) feed_.on_header(source_.header());
    for (const std::uint64_t end = fed_ + n; fed_ < end; ++fed_)
      feed_.on_event(source_.event(fed_));
  }

  /// Advances time by `later` and takes all messages that are due.
  void take(LiveView& view, std::chrono::milliseconds later = 600ms) {
    now_ += later;
    json_.clear();
    binary_.clear();
    while (const auto message = view.next(now_)) {
      ++taken_;
      bytes_ += message->bytes.size();
      if (message->is_binary) {
        binary_[message->bytes[0]] = message->bytes;
        continue;
      }
      const json parsed = json::parse(message->bytes);
      for (const auto& item : parsed.items()) json_[item.key()] = parsed;
    }
  }
  json got(const char* key) { return json_.count(key) != 0 ? json_[key][key] : json(nullptr); }

  SyntheticSource source_{{1000, ~std::uint64_t{0}, 131040, 262144, false}};
  TraceFeed feed_;
  LiveShared shared_{feed_};
  std::uint64_t fed_ = 0;
  View::Time now_{std::chrono::hours(1)};
  std::map<std::string, json> json_;
  std::map<char, std::string> binary_;
  std::size_t taken_ = 0;
  std::size_t bytes_ = 0;
};

TEST_F(LiveViewTest, SaysHelloBeforeAndAfterTheConfiguration) {
  LiveView view(shared_);
  take(view);
  EXPECT_EQ(got("hello")["recording"], false);
  feed(1);
  take(view);
  const json hello = got("hello");
  EXPECT_EQ(hello["recording"], true);
  EXPECT_EQ(hello["mode"], "live");
  EXPECT_EQ(hello["frames_end"], "1FFE0");
  EXPECT_EQ(hello["wall_ms"], 1763683208100);
  EXPECT_EQ(hello["areas"][0]["name"], "/dev/vda");
  take(view);
  EXPECT_EQ(got("hello"), nullptr) << "once";
}

TEST_F(LiveViewTest, ReportsFollowingTheBusiestBlockOnRequest) {
  feed(1);
  LiveView quiet(shared_);
  take(quiet);
  EXPECT_EQ(got("hello").count("follow"), 0u);
  shared_.follows = true;
  LiveView view(shared_);
  take(view);
  EXPECT_EQ(got("hello")["follow"], true);
}

TEST_F(LiveViewTest, SendsAStateAfterEachHelloWithoutChanges) {
  shared_.replay = ReplayState{1, false};
  feed(10);
  LiveView view(shared_);
  take(view);
  const json before = got("state");
  take(view);
  EXPECT_EQ(got("state"), nullptr) << "nothing has changed";
  shared_.replay = ReplayState{1, true};
  take(view, 1ms);
  EXPECT_EQ(got("hello")["replay"]["paused"], true);
  EXPECT_EQ(got("state"), before);
}

TEST_F(LiveViewTest, SendsTheWholeBlockThenChanges) {
  feed(100);
  LiveView view(shared_);
  view.receive(R"({"want":"pages","begin":"100"})");
  take(view);
  const std::string whole = binary_[1];
  ASSERT_EQ(whole.size(), 12u + 50 * 12) << "50 frames have events";
  EXPECT_EQ(whole[2], 1);
  EXPECT_EQ(u32(whole, 8), 50u);
  // Frame 100: out at 0 ms, in at 1 ms.
  EXPECT_EQ(whole[12] + 256 * whole[13], 0x100);
  EXPECT_EQ(whole[14], 1);
  EXPECT_EQ(whole[15], 2);
  EXPECT_EQ(u32(whole, 16), 1u);
  EXPECT_EQ(u32(whole, 20), 0u);
  EXPECT_EQ(u32(binary_[3], 4), 1u) << "one block in the overview";
  EXPECT_EQ(u32(binary_[3], 12), 50u) << "ins";
  feed(4);
  take(view);
  EXPECT_EQ(binary_[1][2], 0);
  EXPECT_EQ(u32(binary_[1], 8), 2u);
  take(view);
  EXPECT_EQ(binary_.count(1), 0u) << "nothing changed";
  EXPECT_EQ(binary_.count(3), 0u);
}

TEST_F(LiveViewTest, SendsSlotsOfTheRequestedSwapArea) {
  feed(100);
  LiveView view(shared_);
  view.receive(R"({"want":"slots","area":0,"begin":"0"})");
  take(view);
  EXPECT_EQ(u32(binary_[2], 8), 50u) << "the slots that were written";
  view.receive(R"({"want":"slots","area":7,"begin":"0"})");
  take(view);
  ASSERT_EQ(binary_.count(2), 1u) << "a swap area without events is sent as empty";
  EXPECT_EQ(binary_[2][1], 7);
  EXPECT_EQ(u32(binary_[2], 8), 0u);
}

TEST_F(LiveViewTest, SendsSumsProcessesAndRates) {
  feed(3000);
  feed_.on_lost({0, 1, 17});
  LiveView view(shared_);
  view.receive(R"({"want":"process","tgid":301})");
  take(view);
  const json state = got("state");
  EXPECT_EQ(state["ins"], 1500);
  EXPECT_EQ(state["outs"], 1500);
  EXPECT_EQ(state["major"], 1500);
  EXPECT_EQ(state["lost"], 17);
  EXPECT_EQ(state["t"], 2999);
  EXPECT_EQ(state["end"], 2999);
  EXPECT_EQ(state["live"], true);
  EXPECT_EQ(state["clients"], 1);
  EXPECT_EQ(got("processes").size(), 3u);
  EXPECT_EQ(got("rates")["reset"], true);
  ASSERT_EQ(got("rates")["seconds"].size(), 3u);
  EXPECT_EQ(got("rates")["seconds"][1][1], 500);
  const json process = got("process");
  EXPECT_EQ(process["comm"], "second");
  EXPECT_EQ(process["last"].size(), 10u);
  EXPECT_GT(process["last"][0]["t"], process["last"][9]["t"]);
  EXPECT_EQ(process["resident_known"].get<int>() + process["swapped_known"].get<int>(), 1000);
}

TEST_F(LiveViewTest, LimitsTheLogTo200LinesPerSecond) {
  LiveView view(shared_);
  feed(1);
  take(view, 0ms);
  std::size_t lines = 0;
  std::uint64_t more = 0;
  std::uint64_t last = 0;
  for (int i = 0; i < 50; ++i) {  // five seconds
    feed(1000);
    take(view, 100ms);
    const json log = got("log");
    if (log.is_null()) continue;
    EXPECT_LE(log["lines"].size(), 20u);
    for (const json& line : log["lines"]) {
      EXPECT_GT(line["seq"].get<std::uint64_t>(), last) << "oldest first";
      last = line["seq"];
    }
    lines += log["lines"].size();
    more += log["more"].get<std::uint64_t>();
  }
  EXPECT_LE(lines, 200u * 6);
  EXPECT_GE(lines, 200u * 4);
  EXPECT_EQ(lines + more, 50'000u) << "every omitted line is counted";
  take(view, 200ms);
  EXPECT_EQ(got("state")["skipped"], more) << "the omitted lines are counted";
  EXPECT_EQ(last, fed_);
}

TEST_F(LiveViewTest, RestartsTheLogForOneProcess) {
  feed(1000);
  LiveView view(shared_);
  take(view);
  EXPECT_EQ(got("log")["lines"].size(), 200u);
  EXPECT_EQ(got("log")["reset"], true);
  view.receive(R"({"want":"log","tgid":302})");
  take(view, 1500ms);
  EXPECT_EQ(got("log")["reset"], true);
  ASSERT_EQ(got("log")["lines"].size(), 200u);
  const json log = got("log");
  for (const json& line : log["lines"]) EXPECT_EQ(line["tgid"], 302);
}

TEST_F(LiveViewTest, SendsAllFieldsOfAnEvent) {
  feed(2);
  LiveView view(shared_);
  take(view);
  EXPECT_EQ(
      got("log")["lines"][1],
      json::parse(
          R"({"seq":2,"t":1,"kind":"in","tgid":302,"pid":302,"comm":"third","address":"7F000AAAA000",
                            "frame":"100","area":0,"slot":"20000","sector":"100000","flags":["io","major"],"service_us":80})"));
}

TEST_F(LiveViewTest, SendsHiddenPartsOnlyAfterTheyAreShownAgain) {
  feed(100);
  LiveView view(shared_);
  view.receive(R"({"want":"pages","begin":"0"})");
  view.receive(R"({"want":"views","names":["slots"]})");
  take(view);
  EXPECT_TRUE(binary_.empty());
  EXPECT_EQ(got("log"), nullptr);
  EXPECT_EQ(got("processes"), nullptr);
  EXPECT_EQ(got("rates"), nullptr);
  EXPECT_NE(got("state"), nullptr);
  view.receive(R"({"want":"views","names":["pages","log","statistics"]})");
  take(view);
  EXPECT_EQ(binary_[1][2], 1);
  EXPECT_EQ(got("log")["reset"], true);
  EXPECT_EQ(got("rates")["reset"], true);
}

TEST_F(LiveViewTest, ShowsThePastAtTheCursor) {
  feed(5000);
  LiveView view(shared_);
  view.receive(R"({"want":"pages","begin":"0"})");
  take(view);
  view.receive(R"({"cursor":99})");
  take(view);
  EXPECT_EQ(got("state")["t"], 99);
  EXPECT_EQ(got("state")["end"], 4999);
  EXPECT_EQ(got("state")["live"], false);
  EXPECT_EQ(got("state")["ins"], 50);
  EXPECT_EQ(binary_[1][2], 1);
  EXPECT_EQ(u32(binary_[1], 8), 50u);
  EXPECT_EQ(got("log")["lines"].size(), 100u);
  EXPECT_EQ(got("log")["lines"][99]["seq"], 100);
  EXPECT_EQ(got("rates")["seconds"].size(), 1u);
  feed(100);
  view.receive(R"({"inspect":"frame","at":"200"})");
  take(view);
  EXPECT_EQ(got("inspection")["page"], "unknown") << "the frame has events only later";
  EXPECT_EQ(binary_.count(1), 0u) << "the past does not change";
  view.receive(R"({"cursor":"live"})");
  take(view);
  EXPECT_EQ(got("state")["live"], true);
  EXPECT_EQ(got("state")["ins"], 2550);
}

TEST_F(LiveViewTest, PlaysThePastAtReplaySpeedUpToThePresent) {
  shared_.replay = ReplayState{2, false};
  feed(5000);
  LiveView view(shared_);
  view.receive(R"({"want":"pages","begin":"0"})");
  take(view);
  view.receive(R"({"cursor":1000,"play":true})");
  take(view);
  EXPECT_EQ(got("state")["t"], 1000);
  EXPECT_EQ(got("state")["playing"], true);
  take(view, 500ms);
  EXPECT_EQ(got("state")["t"], 2000);
  EXPECT_EQ(got("state")["live"], false);
  EXPECT_EQ(got("state")["ins"], 1000);
  EXPECT_EQ(binary_[1][2], 0) << "only what has changed";
  EXPECT_EQ(got("log").count("reset"), 0u);
  shared_.replay = ReplayState{2, true};
  take(view, 500ms);
  EXPECT_EQ(got("state")["t"], 2000) << "a pause stops it";
  shared_.replay = ReplayState{2, false};
  take(view, 1500ms);
  EXPECT_EQ(got("state")["t"], 4999);
  EXPECT_EQ(got("state")["live"], true);
  EXPECT_EQ(got("state").count("playing"), 0u);
  EXPECT_EQ(got("state")["ins"], 2500);
  EXPECT_EQ(shared_.in_the_past, 0u);
}

TEST_F(LiveViewTest, StopsPlayingThePastAtTheNextCursor) {
  feed(5000);
  LiveView view(shared_);
  view.receive(R"({"cursor":1000,"play":true})");
  take(view);
  view.receive(R"({"cursor":1500})");
  take(view);
  take(view, 500ms);
  EXPECT_EQ(got("state"), nullptr) << "nothing has changed";
}

TEST_F(LiveViewTest, LimitsThePagesThatShowThePast) {
  feed(10);
  std::vector<std::unique_ptr<LiveView>> views;
  for (std::size_t i = 0; i <= LiveView::kMaxInThePast; ++i) {
    views.push_back(std::make_unique<LiveView>(shared_));
    views.back()->receive(R"({"cursor":5})");
    take(*views.back());
  }
  EXPECT_THAT(got("error").is_null() ? "" : got("error").get<std::string>(),
              testing::HasSubstr("other pages show the past"));
  views.front().reset();
  views.back()->receive(R"({"cursor":5})");
  take(*views.back());
  EXPECT_EQ(got("error"), nullptr);
  EXPECT_EQ(got("state")["live"], false);
}

TEST_F(LiveViewTest, InspectsAFrameWithItsLastEvent) {
  feed(2);
  LiveView view(shared_);
  view.receive(R"({"inspect":"frame","at":"100"})");
  take(view);
  const json found = got("inspection");
  EXPECT_EQ(found["what"], "frame");
  EXPECT_EQ(found["page"], "resident");
  EXPECT_EQ(found["frame"], "holds");
  EXPECT_EQ(found["slot"], "copy");
  EXPECT_EQ(found["event"]["seq"], 2);
  EXPECT_EQ(found["words"].size(), 3u);
}

TEST_F(LiveViewTest, AnswersAMalformedMessageWithoutChange) {
  feed(10);
  LiveView view(shared_);
  view.receive(R"({"want":"pages","begin":"0"})");
  view.receive(R"({"want":"pages"})");
  take(view);
  EXPECT_EQ(got("error"), "\"begin\": expected a hexadecimal number in quotes");
  EXPECT_EQ(binary_.count(1), 1u);
  view.receive(R"({"replay":{"paused":true}})");
  take(view);
  EXPECT_THAT(got("error").get<std::string>(), testing::HasSubstr("no file is being replayed"));
}

TEST_F(LiveViewTest, SendsEarlierLogLinesBackToTheFirstKeptEvent) {
  feed(500);
  LiveView view(shared_);
  view.receive(R"({"cursor":449})");
  take(view);
  EXPECT_EQ(got("log")["lines"][0]["seq"], 251);
  view.receive(R"({"want":"log","before":251,"t":250})");
  take(view);
  EXPECT_EQ(got("log")["before"], 251);
  EXPECT_EQ(got("log")["first"], false);
  EXPECT_FALSE(got("log").contains("reset"));
  ASSERT_EQ(got("log")["lines"].size(), 200u);
  EXPECT_EQ(got("log")["lines"][0]["seq"], 51);
  EXPECT_EQ(got("log")["lines"][199]["seq"], 250);
  view.receive(R"({"want":"log","before":51,"t":50})");
  take(view);
  EXPECT_EQ(got("log")["lines"].size(), 50u);
  EXPECT_EQ(got("log")["first"], true);
  take(view);
  EXPECT_EQ(got("log"), nullptr) << "answered once";
}

TEST_F(LiveViewTest, SendsEarlierLogLinesOfOneProcessOnly) {
  feed(2000);
  LiveView view(shared_);
  view.receive(R"({"want":"log","tgid":302})");
  take(view);
  const json first = got("log")["lines"][0];
  view.receive(json{{"want", "log"}, {"before", first["seq"]}, {"t", first["t"]}}.dump());
  take(view);
  ASSERT_EQ(got("log")["lines"].size(), 200u);
  const json log = got("log");
  for (const json& line : log["lines"]) {
    EXPECT_EQ(line["tgid"], 302);
    EXPECT_LT(line["seq"], first["seq"]);
  }
}

TEST_F(LiveViewTest, IncludesRecentMovesInAWholeOverview) {
  feed(5000);
  LiveView view(shared_);
  take(view);
  const auto sum = [&](std::size_t column) {
    std::uint32_t all = 0;
    for (std::size_t at = 8; at < binary_[3].size(); at += 20)
      all += u32(binary_[3], at + 4 * column);
    return all;
  };
  EXPECT_EQ(sum(1), 2500u);
  EXPECT_EQ(sum(3), 1000u) << "two seconds, half of their events in";
  EXPECT_EQ(sum(4), 1000u);
  view.receive(R"({"cursor":2499})");
  take(view);
  EXPECT_EQ(binary_[3][2], 1) << "whole";
  EXPECT_EQ(sum(1), 1250u);
  EXPECT_EQ(sum(3), 750u) << "at that time: half of this second and the second before";
}

TEST_F(LiveViewTest, UsesTheUtcOffsetOfTheTracesSeason) {
  setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
  tzset();
  feed(100);
  LiveView view(shared_);
  take(view);
  EXPECT_EQ(got("hello")["utc_offset_min"], 60) << "November";
  TraceHeader summer = source_.header();
  summer.wall_offset_ns -= std::int64_t{120} * 86400 * 1'000'000'000;
  feed_.on_header(summer);
  view.receive(R"({"inspect":"frame","at":"100"})");
  take(view);
  EXPECT_EQ(got("hello")["utc_offset_min"], 120) << "July";
  EXPECT_THAT(got("inspection")["words"][1].get<std::string>(),
              testing::HasSubstr("at 02:00:08.101"));
  unsetenv("TZ");
  tzset();
}

TEST_F(LiveViewTest, ResetsAfterARestartOfTheMachine) {
  feed(20000);
  LiveView view(shared_);
  take(view);
  PagingEvent event = source_.event(0);
  event.time_ns = 5'000'000;
  feed_.on_event(event);
  take(view);
  EXPECT_EQ(got("hello")["recording"], true);
  EXPECT_EQ(got("state")["ins"], 0);
  EXPECT_EQ(got("state")["outs"], 1);
  EXPECT_EQ(got("state")["t"], 0);
  EXPECT_EQ(got("log")["reset"], true);
}

TEST_F(LiveViewTest, ReportsTheNumberOfMissedLinesToASlowPage) {
  LiveView view(shared_);
  feed(1);
  take(view, 0ms);
  feed(5000);
  take(view, 5s);  // the page took no messages in between
  EXPECT_EQ(got("log")["lines"].size(), 20u);
  EXPECT_EQ(got("log")["more"], 4980);
  take(view, 200ms);
  EXPECT_EQ(got("state")["skipped"], 4980);
}

TEST_F(LiveViewTest, LimitsTheMessagesPerRound) {
  LiveView view(shared_);
  view.receive(R"({"want":"pages","begin":"0"})");
  view.receive(R"({"want":"slots","area":0,"begin":"0"})");
  for (int round = 0; round < 30; ++round) {
    feed(4000);
    taken_ = 0;
    take(view, 33ms);
    EXPECT_LE(taken_, 9u);
  }
  EXPECT_LT(bytes_, 30u * 70'000);
}

TEST_F(LiveViewTest, AdvancesTimeWithoutEvents) {
  feed_.at(TraceFeed::Clock::time_point{} + 10s, 1);
  feed(1000);
  feed_.at(TraceFeed::Clock::time_point{} + 12s, 1);
  LiveView view(shared_);
  take(view);
  EXPECT_EQ(got("state")["t"], 2999);
  EXPECT_EQ(got("rates")["seconds"].size(), 3u);
  feed_.at(TraceFeed::Clock::time_point{} + 20s, 0);
  take(view);
  EXPECT_EQ(feed_.timeline().present().now_ms(), 2999u) << "a replay that pauses";
}

}  // namespace
}  // namespace physmem::view
