// SPDX-License-Identifier: MIT
#include "top/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/command_words.h"

namespace physmem::top {
namespace {

using testing::HasSubstr;

Result<Options> parse_top(std::vector<std::string> words) {
  return CommandWords("physmem-top", std::move(words)).given_to(parse_options);
}

std::string top_error_of(const std::vector<std::string>& words) {
  const auto options = parse_top(words);
  return options ? "" : options.error().text;
}

TEST(TopOptions, AreAllAccepted) {
  const auto options =
      parse_top({"--interval", "2s",       "--count", "3",         "--batch",  "--root",
                 "/r",         "--sort",   "RSS",     "--reverse", "--tree",   "--pid",
                 "1,7",        "--user",   "root,33", "--command", "py*",      "--cgroup",
                 "/a",         "--filter", "x",       "--record",  "t.pmc.zst"});
  ASSERT_TRUE(options) << options.error().text;
  EXPECT_EQ(options->interval_ns, 2'000'000'000u);
  EXPECT_EQ(options->count, 3u);
  EXPECT_TRUE(options->is_batch && options->is_tree && options->order.is_reversed);
  EXPECT_EQ(options->order.key, SortKey::kRss);
  const ProcessFilter& only = options->selection.only;
  EXPECT_THAT(only.pids, testing::ElementsAre(1, 7));
  EXPECT_THAT(only.users, testing::ElementsAre(0, 33));
  ASSERT_EQ(only.names.size(), 1u);
  EXPECT_TRUE(only.names[0].matches("python3"));
  ASSERT_EQ(only.cgroups.size(), 1u);
  EXPECT_EQ(options->selection.filter.text(), "x");
  EXPECT_EQ(options->form, SnapshotForm::kCompact);
}

TEST(TopOptions, TakeAFileToReplay) {
  EXPECT_EQ(parse_top({"top.txt.zst"})->replay, "top.txt.zst");
  EXPECT_THAT(top_error_of({"a", "b"}), HasSubstr("found 2 files, expected at most one"));
  EXPECT_THAT(top_error_of({"a", "--record", "b"}), HasSubstr("--record: found FILE with it"));
}

TEST(TopOptions, ReportFoundAndExpectedForEachError) {
  EXPECT_THAT(top_error_of({"--sort", "size"}), HasSubstr("--sort: found \"size\", expected pid"));
  EXPECT_THAT(top_error_of({"--interval", "9ms"}), HasSubstr("at least 100ms"));
  EXPECT_THAT(top_error_of({"--command", "/(/"}),
              HasSubstr("--command: found \"/(/\", expected a shell"));
  EXPECT_THAT(top_error_of({"--filter", "/(/"}), HasSubstr("--filter: found \"/(/\""));
  EXPECT_THAT(top_error_of({"--user", "no-such-user"}), HasSubstr("--user: found"));
  EXPECT_THAT(top_error_of({"--count", "0"}), HasSubstr("--count: found \"0\""));
  EXPECT_THAT(top_error_of({"--record", "t.gz"}), HasSubstr("--record: found \"t.gz\""));
  EXPECT_THAT(parse_top({"--help"})->text_instead, HasSubstr("EXIT STATUS"));
}

}  // namespace
}  // namespace physmem::top
