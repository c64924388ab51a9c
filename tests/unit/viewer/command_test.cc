// SPDX-License-Identifier: MIT
#include "viewer/command.h"

#include <gmock/gmock.h>

#include <string>

namespace physmem::view {
namespace {

template <class Kind>
Kind read(const char* text) {
  const auto command = parse_command(text);
  EXPECT_TRUE(command) << (command ? "" : command.error().text);
  return command && std::holds_alternative<Kind>(*command) ? std::get<Kind>(*command) : Kind{};
}

std::string problem(const std::string& text) {
  const auto command = parse_command(text);
  return command ? "none" : command.error().text;
}

TEST(Command, ReadsEveryMessageOfTheProtocol) {
  EXPECT_EQ(read<WantPages>(R"({"want":"pages","begin":"1A000"})").block, 0x1A000u / 2048);
  EXPECT_EQ(read<WantPages>(R"({"want":"pages","begin":"1A7FF"})").block, 0x1A000u / 2048)
      << "any frame of the block";
  const auto slots = read<WantSlots>(R"({"want":"slots","area":3,"begin":"1000"})");
  EXPECT_EQ(slots.area, 3);
  EXPECT_EQ(slots.block, 2u);
  EXPECT_EQ(read<WantProcess>(R"({"want":"process","tgid":371})").tgid, 371u);
  EXPECT_EQ(read<WantLog>(R"({"want":"log","tgid":372})").tgid, 372u);
  const auto before = read<WantLogBefore>(R"({"want":"log","before":251,"t":250})");
  EXPECT_EQ(before.sequence, 251u);
  EXPECT_EQ(before.time_ms, 250u);
  const auto views = read<WantViews>(R"({"want":"views","names":["log","slots"]})");
  EXPECT_TRUE(views.log && views.slots);
  EXPECT_FALSE(views.pages || views.processes || views.statistics);
  EXPECT_EQ(read<Inspect>(R"({"inspect":"frame","at":"1A2B3"})").at, 0x1A2B3u);
  EXPECT_EQ(read<Inspect>(R"({"inspect":"slot","area":1,"at":"10"})").area, 1);
  const auto address = read<Inspect>(R"({"inspect":"address","tgid":371,"at":"7F10C2A00000"})");
  EXPECT_EQ(address.what, Inspect::What::kAddress);
  EXPECT_EQ(address.at, 0x7F10C2A00000u);
  EXPECT_EQ(read<MoveCursor>(R"({"cursor":123456})").time_ms, 123456u);
  EXPECT_FALSE(read<MoveCursor>(R"({"cursor":123456})").is_playing);
  EXPECT_TRUE(read<MoveCursor>(R"({"cursor":123456,"play":true})").is_playing);
  EXPECT_EQ(read<MoveCursor>(R"({"cursor":"live"})").time_ms, std::nullopt);
  EXPECT_EQ(read<Replay>(R"({"replay":{"speed":10}})").speed, 10);
  EXPECT_EQ(read<Replay>(R"({"replay":{"paused":true}})").paused, true);
}

TEST(Command, ReportsTheExpectedValueForEachError) {
  EXPECT_EQ(problem(R"({"want":"pages","begin":"XYZ"})"),
            "\"begin\": expected a hexadecimal number in quotes");
  EXPECT_EQ(problem(R"({"want":"pages","begin":16})"),
            "\"begin\": expected a hexadecimal number in quotes");
  EXPECT_EQ(problem(R"({"want":"pages","begin":"FFFFFFFFFFFFFFFF"})"),
            "\"begin\": expected a number below 80000000000");
  EXPECT_EQ(problem(R"({"want":"slots","area":256,"begin":"0"})"),
            "\"area\": expected a number of at most 255");
  EXPECT_EQ(problem(R"({"want":"process","tgid":-1})"),
            "\"tgid\": expected a number of at most 4294967295");
  EXPECT_EQ(problem(R"({"want":"log","before":7})"),
            "\"t\": expected a number of at most 4294967295");
  EXPECT_EQ(problem(R"({"want":"more"})"),
            "\"want\": expected pages, slots, process, log, moment or views");
  EXPECT_EQ(problem(R"({"cursor":1e99})"), "\"cursor\": expected a number of at most 4294967295");
  for (const char* replay :
       {R"({"replay":{"speed":0}})", R"({"replay":{"speed":1e9}})", R"({"replay":{"speed":"x"}})"})
    EXPECT_EQ(problem(replay), "\"speed\": expected a number above 0, at most 1000000") << replay;
  EXPECT_THAT(problem(R"({"replay":7})"), testing::StartsWith("\"replay\": expected"));
  EXPECT_THAT(problem(R"({"want":"views","names":["log","nothing"]})"),
              testing::StartsWith("\"names\": expected"));
}

TEST(Command, RejectsTextThatIsNotAMessage) {
  for (const char* text : {"", "{", "[]", "null", "12", "\"want\"", "{}", R"({"hello":1})",
                           "\xFF\xFE", R"({"want":null})"})
    EXPECT_NE(problem(text), "none") << text;
  EXPECT_EQ(problem(std::string(4097, ' ')), "a message of 4097 bytes: expected at most 4096");
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  EXPECT_EQ(problem(deep), "found a message that is not a JSON object");
  EXPECT_NE(problem(R"({"want":)" + deep + "}"), "none");
}

}  // namespace
}  // namespace physmem::view
