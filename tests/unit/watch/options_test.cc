// SPDX-License-Identifier: MIT
#include "tools/watch/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "tests/unit/command_words.h"

namespace physmem::watch {
namespace {

using testing::HasSubstr;

Result<Options> parse(std::vector<std::string> words) {
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

TEST(WatchOptions, AreAllAccepted) {
  const auto options = parse({"--json", "--interval", "2s", "--trigger", "full 500000 2000000",
                              "--always", "--samples", "3", "--duration", "60", "--root", "/r"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->is_json && options->plan.is_always_awake);
  EXPECT_EQ(text_of(options->trigger), "full 500000 2000000");
  EXPECT_EQ(options->plan.interval_ns, 2'000'000'000u);
  EXPECT_EQ(options->plan.max_samples, 3u);
  EXPECT_EQ(options->plan.max_ns, 60'000'000'000u);
  EXPECT_EQ(options->root, "/r");
}

TEST(WatchOptions, IncludeHelpWithTheExitStatus) {
  EXPECT_THAT(parse({"--help"})->text_instead, HasSubstr("EXIT STATUS"));
  EXPECT_THAT(parse({"--version"})->text_instead, HasSubstr("physmem-watch "));
}

TEST(WatchOptions, ReportFoundAndExpectedForEachError) {
  EXPECT_THAT(error_of({"--frob"}), HasSubstr("unknown option --frob (physmem-watch --help"));
  EXPECT_THAT(error_of({"foo", "--bogus"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(error_of({"--interval", "50ms"}),
              HasSubstr("--interval: found \"50ms\", expected a time of at least 100ms"));
  EXPECT_THAT(error_of({"--samples", "0"}),
              HasSubstr("--samples: found \"0\", expected a number from 1"));
  EXPECT_THAT(error_of({"--duration", "1s"}),
              HasSubstr("--duration: found \"1s\", expected seconds above 0"));
  for (const char* ms : {"inf", "nan", "0", "-1", "0x1", "1e7", "8ms", ""})
    EXPECT_THAT(error_of({"--service-time", ms}), HasSubstr("expected milliseconds above 0")) << ms;
}

TEST(WatchOptions, RejectTriggersThatNoKernelAccepts) {
  for (const char* trigger :
       {"", "some", "some 1", "some 1 2 3", "many 1 1000000", "some -1 1000000"})
    EXPECT_THAT(error_of({"--trigger", trigger}), HasSubstr("expected \"some STALL WINDOW\" or"))
        << trigger;
  for (const char* trigger : {"some 1 100", "some 1 499999", "some 1 10000001"})
    EXPECT_THAT(error_of({"--trigger", trigger}),
                HasSubstr("expected a window from 500000 to 10000000"))
        << trigger;
  for (const char* trigger : {"some 0 1000000", "full 1000001 1000000"})
    EXPECT_THAT(error_of({"--trigger", trigger}),
                HasSubstr("expected a stall from 1 to the window, which is 1000000 microseconds"))
        << trigger;
}

TEST(WatchOptions, RejectATriggerOfOneSecondWithoutCapSysResource) {
  Trigger trigger;
  EXPECT_EQ(
      refusal_of(trigger, EINVAL),
      "--trigger: found \"some 70000 1000000\", expected a window that is a multiple of 2000000 "
      "microseconds: without CAP_SYS_RESOURCE the kernel accepts no other (root has it)");
  EXPECT_EQ(refusal_of(trigger, EOPNOTSUPP), "")
      << "without triggers the program polls the counters";
  trigger.window_us = 2'000'000;
  EXPECT_THAT(refusal_of(trigger, EINVAL),
              HasSubstr("expected a trigger that this kernel accepts"));
}

}  // namespace
}  // namespace physmem::watch
