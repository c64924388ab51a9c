// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/command_words.h"
#include "tests/unit/temporary_folder.h"
#include "tools/trace/options.h"

namespace physmem::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Options> parsed(std::vector<std::string> words) {
  return CommandWords("physmem-trace", std::move(words)).given_to(parse_options);
}

std::string refusal(std::vector<std::string> words) {
  const auto options = parsed(std::move(words));
  if (options) return "accepted";
  EXPECT_EQ(options.error().kind, Error::Kind::kUsage);
  return options.error().text;
}

TEST(TraceOptions, DefaultToARecording) {
  const auto options = parsed({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->source, "auto");
  EXPECT_EQ(options->form, Form::kText);
  EXPECT_FALSE(options->replay);
  EXPECT_EQ(parsed({"-o", "x.trace"})->form, Form::kBinary);
  EXPECT_EQ(parsed({"-o", "x.trace", "--format=text"})->form, Form::kText);
}

TEST(TraceOptions, IncludeThoseOfAReplay) {
  const auto options = parsed(
      {"--replay", "-", "--speed", "0.25", "--pid=7,12", "--keep-going", "-o", "x", "--no-owners"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->replay, "-");
  EXPECT_EQ(options->speed, 0.25);
  EXPECT_THAT(options->pids, ElementsAre(7u, 12u));
  EXPECT_TRUE(options->keep_going);
  EXPECT_FALSE(options->keep_owners);
  EXPECT_EQ(options->form, Form::kText);
  EXPECT_EQ(parsed({"--replay", "x", "--speed", "max"})->speed, 0);
  EXPECT_EQ(parsed({"--duration=1.5"})->duration, std::chrono::milliseconds(1500));
}

TEST(TraceOptions, RejectAFileEndingOfAnotherFormat) {
  EXPECT_THAT(
      refusal({"--replay", "-", "-o", "swap.csv"}),
      HasSubstr("--output: found \"swap.csv\" without --format, expected --format csv, or a name"));
  EXPECT_THAT(refusal({"-o", "swap.json.zst"}), HasSubstr("expected --format json"));
  EXPECT_EQ(parsed({"-o", "swap.csv", "--format=csv"})->form, Form::kCsv);
  EXPECT_EQ(parsed({"-o", "swap.csv", "--format=text"})->form, Form::kText);
}

TEST(TraceOptions, ReportFoundAndExpectedForEachError) {
  EXPECT_THAT(refusal({"--sped", "1"}), HasSubstr("unknown option --sped"));
  EXPECT_THAT(refusal({"--replay"}), HasSubstr("option --replay requires a value"));
  EXPECT_THAT(refusal({"file.trace"}),
              HasSubstr("found \"file.trace\", expected an option (--replay FILE reads"));
  EXPECT_THAT(refusal({"--speed", "2"}), HasSubstr("--speed: expected --replay with it"));
  EXPECT_THAT(refusal({"--keep-going"}), HasSubstr("--keep-going: expected --replay with it"));
  EXPECT_THAT(refusal({"--replay", "x", "--source", "kmod"}),
              HasSubstr("--source: found --replay with it"));
  for (const char* speed : {"-1", "fast", "1x", "nan", "inf", ""})
    EXPECT_THAT(refusal({"--replay", "x", "--speed", speed}),
                HasSubstr("expected a number above 0, at most 1000000, or max"))
        << speed;
  for (const char* pid : {"", "0", "1,", "a", "4294967296", "-1"})
    EXPECT_THAT(refusal({"--pid", pid}), HasSubstr("expected process ids")) << pid;
  EXPECT_THAT(
      refusal({"--format", "xml"}),
      HasSubstr("expected text, binary, pftrace, csv, json, perfetto, openmetrics, prometheus, "
                "summary"));
  EXPECT_THAT(refusal({"--duration", "0"}), HasSubstr("--duration: found \"0\""));
  EXPECT_THAT(refusal({"--all"}), HasSubstr("--all: expected --format pftrace with it"));
  EXPECT_THAT(refusal({"--owners", "s", "--no-owners"}),
              HasSubstr("--owners: found --no-owners with it"));
}

TEST(TraceOptions, IncludeHelpWithExamplesAndExitStatuses) {
  const std::string help = parsed({"--help"})->text_instead;
  EXPECT_THAT(help, HasSubstr("EXAMPLES"));
  EXPECT_THAT(help, HasSubstr("5 done, but events are missing"));
  EXPECT_THAT(parsed({"--version"})->text_instead, HasSubstr("physmem-trace "));
}

TEST(TraceOptions, RejectTheReplayedFileAsOutput) {
  const TemporaryFolder folder;
  const std::string file = folder.put("a.trace", "a trace");
  EXPECT_THAT(refusal({"--replay", file, "--format", "csv", "-o", file}),
              HasSubstr("--output: found \"" + file +
                        "\", which is the file of --replay, expected another file"));
}

}  // namespace
}  // namespace physmem::record
