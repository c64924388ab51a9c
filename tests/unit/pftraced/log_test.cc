// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/paging/wire/paging_examples.h"
#include "tools/pftrace-log/log_lines.h"
#include "tools/pftrace-log/options.h"

namespace physmem::log {
namespace {

using ::testing::HasSubstr;

class LogLine : public ::testing::Test {
 protected:
  LogLine() { set_zone("UTC"); }
  ~LogLine() override { set_zone("UTC"); }
  static void set_zone(const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  static constexpr std::int64_t kOffset = 1763683200000000000;  // 2025-11-21 00:00:00 UTC
};

TEST_F(LogLine, PrintsASwapIn) {
  EXPECT_EQ(event_line(example_event(2), kOffset),
            "IN  00:00:08.100 370 7F10C2A02000 0001A2B5 00000090 work");
}

TEST_F(LogLine, PrintsDashesForASwapOutWithoutOwner) {
  EXPECT_EQ(event_line(example_event(1), kOffset), "OUT 00:00:08.100 - - 0001A2B4 00000088 -");
}

TEST_F(LogLine, PrintsHitOrTryForAFaultThatMovedNoPage) {
  PagingEvent event = example_event(2);
  event.flags = PM_PAGING_CACHE_HIT;
  EXPECT_EQ(event_line(event, kOffset), "HIT 00:00:08.100 370 7F10C2A02000 0001A2B5 00000090 work");
  event.flags = PM_PAGING_RETRY;
  EXPECT_EQ(event_line(event, kOffset).substr(0, 4), "TRY ");
}

TEST_F(LogLine, PrintsLossesWithTheirCount) {
  EXPECT_EQ(lost_line({.time_ns = 3661'007'999'999, .cpu = {}, .count = 17}, kOffset),
            "LOST 01:01:01.007 17");
}

TEST_F(LogLine, PrintsLocalTime) {
  set_zone("IST-5:30");
  EXPECT_EQ(local_time(8'100'000'000, kOffset), "05:30:08.100");
}

TEST_F(LogLine, EscapesNewlinesInANameSoThatItCannotForgeALine) {
  PagingEvent event = example_event(2);
  event.comm = "a\nOUT b";
  EXPECT_THAT(event_line(event, kOffset), HasSubstr(" a\\012OUT b"));
}

Result<Options> parsed(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  const int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  return parse_options(count, arguments.data());
}

TEST(LogOptions, ListensOnLoopbackByDefault) {
  EXPECT_EQ(parsed({"pftrace-log"})->udp.listen, "127.0.0.1");
  const auto options = parsed({"pftrace-log", "--listen", "[::]:7", "--server", "2001:db8::1",
                               "--until-end", "--receive-buffer", "8192"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->udp.listen, "[::]:7");
  EXPECT_EQ(options->udp.server->host(), "2001:db8::1");
  EXPECT_EQ(options->udp.receive_buffer, 8192);
  EXPECT_TRUE(options->until_end);
}

TEST(LogOptions, ReportsFoundAndExpectedForEachError) {
  EXPECT_THAT(parsed({"pftrace-log", "--listen", "here"}).error().text,
              HasSubstr("--listen: found \"here\", expected a numeric"));
  EXPECT_THAT(parsed({"pftrace-log", "--format", "xml"}).error().text,
              HasSubstr("--format: found \"xml\", expected text or trace"));
  EXPECT_THAT(parsed({"pftrace-log", "--receive-buffer", "1k"}).error().text,
              HasSubstr("--receive-buffer: found \"1k\""));
  EXPECT_THAT(parsed({"pftrace-log", "x"}).error().text,
              HasSubstr("found \"x\", expected options only"));
  EXPECT_THAT(parsed({"pftrace-log", "--lisen"}).error().text, HasSubstr("unknown option --lisen"));
}

}  // namespace
}  // namespace physmem::log
