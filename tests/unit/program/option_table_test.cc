// SPDX-License-Identifier: MIT
#include "program/option_table.h"

#include <gmock/gmock.h>

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Options {
  std::string output = "-";
  bool is_quiet = false;
  std::vector<std::string> pids = {};
};

const ProgramText kProgram{"tool", "does a thing", "  tool [OPTION]... [FILE]\n", "",
                           "EXIT STATUS\n  0 done\n"};

std::string add_pid(Options& options, const char* value) {
  if (*value == '0') return "a number above 0";
  options.pids.emplace_back(value);
  return {};
}

const OptionTable<Options>& table() {
  static const OptionTable<Options> kTable(
      kProgram,
      {{"INPUT", {{{0, "pid", "PID", "only this process"}, add_pid}}},
       {"OUTPUT",
        {{{'o', "output", "FILE",
           "write there, whole or not at all; a name that ends in .zst is compressed, and so on "
           "until the line is full [default: -]"},
          set_text<&Options::output>},
         {{'q', "quiet", nullptr, "no progress"}, set_true<&Options::is_quiet>},
         {{0, "a-name-that-is-too-long", "VALUE", "its text is below"}, add_pid},
         {{0, "silent", nullptr, nullptr}, set_true<&Options::is_quiet>}}}});
  return kTable;
}

Result<OptionParser::Words> parse(std::vector<std::string> words, Options& options) {
  words.insert(words.begin(), "tool");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return table().parse(static_cast<int>(words.size()), argv.data(), options);
}

std::string error_of(const std::vector<std::string>& words) {
  Options options;
  const auto parsed = parse(words, options);
  return parsed ? "" : parsed.error().text;
}

TEST(OptionTable, ReadsShortAndLongOptionsInAnyOrderWithOperands) {
  Options options;
  const auto words = parse({"a", "-qo", "x", "b", "--pid=1", "--pid", "2", "--", "-c"}, options);
  ASSERT_TRUE(words);
  EXPECT_THAT(words->operands, ElementsAre("a", "b", "-c"));
  EXPECT_EQ(options.output, "x");
  EXPECT_TRUE(options.is_quiet);
  EXPECT_THAT(options.pids, ElementsAre("1", "2"));
}

TEST(OptionTable, AcceptsAValueThatLooksLikeAnOption) {
  Options options;
  ASSERT_TRUE(parse({"-o", "--quiet"}, options));
  EXPECT_EQ(options.output, "--quiet");
  EXPECT_FALSE(options.is_quiet);
}

TEST(OptionTable, AcceptsHiddenOptions) {
  Options options;
  ASSERT_TRUE(parse({"--silent"}, options));
  EXPECT_TRUE(options.is_quiet);
}

TEST(OptionTable, RejectsUnknownOptionsByName) {
  EXPECT_EQ(error_of({"--bogus=1"}), "unknown option --bogus (tool --help lists all options)");
  EXPECT_THAT(error_of({"x", "-qx"}), StartsWith("unknown option -x ("));
  EXPECT_THAT(error_of({"--outpt", "x"}),
              StartsWith("unknown option --outpt; did you mean --output? ("));
}

TEST(OptionTable, RejectsShortenedOptions) {
  EXPECT_THAT(error_of({"--out", "x"}), StartsWith("unknown option --out"));
  EXPECT_THAT(error_of({"--qui"}), StartsWith("unknown option --qui"));
}

TEST(OptionTable, RejectsAnOptionWithoutItsValue) {
  EXPECT_THAT(error_of({"--output"}), StartsWith("option --output requires a value ("));
  EXPECT_THAT(error_of({"-o"}), StartsWith("option -o requires a value ("));
}

TEST(OptionTable, RejectsAValueForAnOptionThatTakesNone) {
  EXPECT_THAT(error_of({"--quiet=1"}), StartsWith("option --quiet takes no value ("));
}

TEST(OptionTable, ReportsTheExpectedValue) {
  EXPECT_EQ(error_of({"--pid", "0"}),
            "--pid: found \"0\", expected a number above 0 (tool --help lists all options)");
}

TEST(OptionTable, PrintsHelpAndVersionInsteadOfLaterWords) {
  Options options;
  const auto version = parse({"--version", "--bogus"}, options);
  ASSERT_TRUE(version);
  EXPECT_THAT(version->text_instead, StartsWith("tool "));
  const auto help = parse({"-h", "--bogus"}, options);
  ASSERT_TRUE(help);
  EXPECT_EQ(help->text_instead, R"(tool: does a thing

USAGE
  tool [OPTION]... [FILE]

INPUT
      --pid PID      only this process
OUTPUT
  -o, --output FILE  write there, whole or not at all; a name that ends in .zst
                     is compressed, and so on until the line is full
                     [default: -]
  -q, --quiet        no progress
      --a-name-that-is-too-long VALUE
                     its text is below
  -h, --help         print this page
      --version      print the version

EXIT STATUS
  0 done
)");
}

}  // namespace
}  // namespace physmem
