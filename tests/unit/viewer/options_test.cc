// SPDX-License-Identifier: MIT
#include "viewer/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/command_words.h"
#include "tests/unit/temporary_folder.h"

namespace physmem::view {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Options> parsed(std::vector<std::string> words) {
  return CommandWords("physmem-view", std::move(words)).given_to(parse_options);
}

std::string refusal(std::vector<std::string> words) {
  const auto options = parsed(std::move(words));
  if (options) return "accepted";
  EXPECT_EQ(options.error().kind, Error::Kind::kUsage);
  return options.error().text;
}

TEST(ViewOptions, RequireOneInput) {
  EXPECT_EQ(parsed({"snap.txt"})->file, "snap.txt");
  EXPECT_EQ(parsed({"snap.txt"})->input, Options::Input::kFile);
  EXPECT_EQ(parsed({"--replay", "-"})->input, Options::Input::kReplay);
  EXPECT_EQ(parsed({"--source=auto"})->input, Options::Input::kTracer);
  for (const auto& words : std::vector<std::vector<std::string>>{{}, {"a", "--replay", "b"}})
    EXPECT_THAT(refusal(words),
                HasSubstr(", expected one: FILE, --udp, --source, --replay or --metrics"));
}

TEST(ViewOptions, HaveAnIntervalForMetrics) {
  EXPECT_EQ(parsed({"--metrics"})->input, Options::Input::kMetrics);
  EXPECT_EQ(parsed({"--metrics"})->interval_ns, 60 * kSecondNs);
  EXPECT_EQ(parsed({"--metrics", "--interval", "5s"})->interval_ns, 5 * kSecondNs);
  EXPECT_TRUE(parsed({"--metrics", "--ram"})->with_ram);
  EXPECT_THAT(refusal({"--metrics", "--interval", "10ms"}), HasSubstr("at least 100ms"));
  EXPECT_THAT(refusal({"snap.txt", "--interval", "5s"}), HasSubstr("expected --metrics with it"));
  EXPECT_THAT(refusal({"--metrics", "--open"}), HasSubstr("found --open with it"));
  EXPECT_THAT(refusal({"--metrics", "snap.txt"}), HasSubstr("found 2 inputs"));
}

TEST(ViewOptions, UseLoopbackForAPortAlone) {
  EXPECT_EQ(parsed({"--udp", "9091"})->udp, "127.0.0.1:9091");
  EXPECT_EQ(parsed({"--udp", "[::]:9091"})->udp, "[::]:9091");
  EXPECT_THAT(refusal({"--udp", "99999"}),
              HasSubstr("found \"99999\", expected a port from 1 to 65535"));
  EXPECT_THAT(refusal({"--udp", "0"}), HasSubstr("expected a port from 1 to 65535"));
}

TEST(ViewOptions, CheckTheRangesOfValues) {
  EXPECT_EQ(parsed({"x", "--speed", "0.5"})->speed, 0.5);
  EXPECT_FALSE(parsed({"x"})->speed);
  EXPECT_TRUE(parsed({"x", "--follow"})->follows);
  EXPECT_EQ(parsed({"x", "--history=1000"})->history, 1000u);
  EXPECT_EQ(parsed({"x", "--port", "65535"})->port, 65535);
  EXPECT_THAT(parsed({"x", "--host", "a", "--host", "b"})->hosts, ElementsAre("a", "b"));
  for (const char* speed : {"0", "max", "-1", "nan", "1e7", "2x", ""})
    EXPECT_THAT(refusal({"x", "--speed", speed}),
                HasSubstr("expected a number above 0, at most 1000000"));
  EXPECT_THAT(refusal({"x", "--port", "65536"}), HasSubstr("expected a number up to 65535"));
  EXPECT_THAT(refusal({"x", "--history", "999"}), HasSubstr("expected a number from 1000"));
  EXPECT_THAT(refusal({"x", "--host", ""}), HasSubstr("expected a name"));
}

TEST(ViewOptions, RejectContradictions) {
  EXPECT_THAT(refusal({"--html", "x.html"}), HasSubstr("physmem-view --html OUT.html SNAPSHOT..."));
  EXPECT_THAT(refusal({"--html", "x.html", "--udp", "9091"}),
              HasSubstr("expected snapshots and no other input"));
  EXPECT_THAT(refusal({"x", "--server", "127.0.0.1"}),
              HasSubstr("--server: expected --udp with it"));
  EXPECT_THAT(refusal({"--udp", "9091", "--speed", "2"}),
              HasSubstr("--speed: expected FILE or --replay with it"));
}

TEST(ViewOptions, ReportTheNumberOfInputs) {
  EXPECT_THAT(refusal({}), HasSubstr("found no input, expected one: FILE, --udp"));
  EXPECT_THAT(refusal({"a", "--udp", "9091"}),
              HasSubstr("found 2 inputs, expected one: FILE, --udp"));
}

TEST(ViewOptions, TakeSeveralFilesInTheirOrder) {
  const auto options = parsed({"a", "b", "c"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->file, "a");
  EXPECT_THAT(options->later_files, ElementsAre("b", "c"));
}

TEST(ViewOptions, IncludeHelpAndVersion) {
  EXPECT_THAT(parsed({"--help"})->text_instead, HasSubstr("EXIT STATUS"));
  EXPECT_THAT(parsed({"--version"})->text_instead, HasSubstr("MIT licence"));
  EXPECT_THAT(refusal({"--nonsense"}), HasSubstr("unknown option --nonsense (physmem-view --help"));
}

TEST(ViewOptions, RejectTheSnapshotAsOutput) {
  const TemporaryFolder folder;
  const std::string file = folder.put("snapshot.txt", "H: 2");
  EXPECT_THAT(refusal({"--html", file, file}),
              HasSubstr("--html: found \"" + file +
                        "\", which is the snapshot to read, expected another file"));
}

}  // namespace
}  // namespace physmem::view
