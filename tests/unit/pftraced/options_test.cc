// SPDX-License-Identifier: MIT
#include "tools/pftraced/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/command_words.h"

namespace physmem::daemon {
namespace {

using ::testing::HasSubstr;

Result<Options> parsed(std::vector<std::string> words) {
  return CommandWords("pftraced", std::move(words)).given_to(parse_options);
}

TEST(DaemonOptions, RunsAsADaemonByDefault) {
  const Result<Options> options = parsed({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->config, "/etc/pftraced.conf");
  EXPECT_FALSE(options->foreground);
  EXPECT_EQ(options->pid_file, "/run/pftraced.pid");
}

TEST(DaemonOptions, HoldsNoPidFileInTheForegroundUnlessRequested) {
  EXPECT_EQ(parsed({"--foreground"})->pid_file, "");
  EXPECT_EQ(parsed({"-f", "--pid-file", "/tmp/x"})->pid_file, "/tmp/x");
}

TEST(DaemonOptions, AcceptsAReplayWithASpeed) {
  const Result<Options> options = parsed({"--replay", "a.trace", "--speed", "0.5"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->replay, "a.trace");
  EXPECT_EQ(options->speed, 0.5);
}

TEST(DaemonOptions, ReportsFoundAndExpectedForEachError) {
  EXPECT_THAT(parsed({"--speed", "2"}).error().text,
              HasSubstr("--speed: expected --replay with it"));
  for (const char* speed : {"fast", "-1", "1e7", "nan", "2x"})
    EXPECT_THAT(parsed({"--replay", "a", "--speed", speed}).error().text,
                HasSubstr("expected a number above 0, at most 1000000, or max"))
        << speed;
  EXPECT_THAT(parsed({"--config"}).error().text, HasSubstr("option --config requires a value"));
  EXPECT_THAT(parsed({"--daemon"}).error().text, HasSubstr("unknown option --daemon"));
  EXPECT_THAT(parsed({"start"}).error().text, HasSubstr("found \"start\", expected options only"));
}

TEST(DaemonOptions, DescribesEveryKeyAndTheExitStatusInHelp) {
  const std::string help = parsed({"--help"})->text_instead;
  for (const char* word : {"client ", "server ", "port ", "source ", "pid ", "all_events ", "user ",
                           "EXIT STATUS", "EXAMPLES"})
    EXPECT_THAT(help, HasSubstr(word));
}

}  // namespace
}  // namespace physmem::daemon
