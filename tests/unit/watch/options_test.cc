// SPDX-License-Identifier: MIT
#include "watch/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/command_words.h"

namespace physmem::watch {
namespace {

using testing::HasSubstr;

collect::Result<Options> parse(std::vector<std::string> words) {
  return CommandWords("physmem-watch", std::move(words)).given_to(parse_options);
}

std::string error_of(const std::vector<std::string>& words) {
  const auto options = parse(words);
  return options ? "" : options.error().text;
}

TEST(WatchOptions, HaveDefaults) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->root, "/proc");
  EXPECT_EQ(text_of(options->trigger), "some 70000 1000000");
  EXPECT_EQ(options->plan.interval_ns, 1'000'000'000u);
  EXPECT_FALSE(options->is_json || options->plan.is_always_awake);
}

TEST(WatchOptions, AreAllTaken) {
  const auto options = parse({"--json", "--every", "2s", "--trigger", "full 500000 2000000", "--always",
                              "--samples", "3", "--seconds", "60", "--root", "/r"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->is_json && options->plan.is_always_awake);
  EXPECT_EQ(text_of(options->trigger), "full 500000 2000000");
  EXPECT_EQ(options->plan.interval_ns, 2'000'000'000u);
  EXPECT_EQ(options->plan.most_samples, 3u);
  EXPECT_EQ(options->plan.most_ns, 60'000'000'000u);
  EXPECT_EQ(options->root, "/r");
}

TEST(WatchOptions, HelpTellsTheExitStatus) {
  EXPECT_THAT(parse({"--help"})->message, HasSubstr("EXIT STATUS"));
  EXPECT_THAT(parse({"--version"})->message, HasSubstr("physmem-watch "));
}

TEST(WatchOptions, SayWhatIsWrong) {
  EXPECT_THAT(error_of({"--frob"}), HasSubstr("unknown option --frob; physmem-watch --help"));
  EXPECT_THAT(error_of({"foo", "--bogus"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(error_of({"--every", "50ms"}),
              HasSubstr("at least 100ms, as in 500ms, 5s, 1m or 5, not \"50ms\""));
  EXPECT_THAT(error_of({"--samples", "0"}), HasSubstr("--samples wants a number from 1"));
  EXPECT_THAT(error_of({"--seconds", "1s"}), HasSubstr("--seconds wants a number from 1"));
  for (const char* trigger : {"", "some", "some 1", "some 1 2 3", "many 1 1000000", "some 2000000 1000000",
                              "some 1 100", "some 0 1000000", "some 1 20000000", "some -1 1000000"})
    EXPECT_THAT(error_of({"--trigger", trigger}), HasSubstr("--trigger wants \"some STALL WINDOW\""))
        << trigger;
}

}  // namespace
}  // namespace physmem::watch
