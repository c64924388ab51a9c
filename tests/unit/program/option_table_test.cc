// SPDX-License-Identifier: MIT
#include "program/option_table.h"

#include <gmock/gmock.h>

#include "tests/unit/command_words.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
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

std::string add_detail(Options& options, const char* value) {
  options.pids.emplace_back("detail=" + std::string(value));
  return {};
}

OptionTable<Options> table_with(SplitOptions* split) {
  OptionTable<Options> table(
      kProgram,
      {{"INPUT", {{{0, "pid", "PID", "only this process"}, add_pid}}},
       {"OUTPUT",
        {{{'o', "output", "FILE",
           "write there, whole or not at all; a name that ends in .zst is compressed, and so on "
           "until the line is full",
           "-"},
          set_text<&Options::output>},
         {{'q', "quiet", nullptr, "no progress [a b], at all"}, set_true<&Options::is_quiet>},
         {{0, "a-name-that-is-too-long", "VALUE", "its text is below"}, add_pid},
         {{0, "detail", "[=WORD]", "more or less of it"}, add_detail},
         {{0, "interval", "TIME", "its older name is hidden", nullptr, nullptr, "every"},
          add_pid}}}},
      split);
  return table;
}

class OptionTableOf : public testing::TestWithParam<SplitOptions*> {
 protected:
  Result<OptionParser::Words> parse(std::vector<std::string> words) {
    return CommandWords("tool", std::move(words)).given_to([this](int argc, char* argv[]) {
      return table_with(GetParam()).parse(argc, argv, options_);
    });
  }
  std::string error_of(std::vector<std::string> words) {
    const auto parsed = parse(std::move(words));
    return parsed ? "" : parsed.error().text;
  }
  std::string text_of(const char* option) {
    const auto parsed = parse({option});
    return parsed ? parsed->text_instead : parsed.error().text;
  }

  Options options_;
};

std::string parser_name(const testing::TestParamInfo<SplitOptions*>& parser) {
  return parser.param == getopt_words ? "getopt" : "boost";
}

INSTANTIATE_TEST_SUITE_P(Parser, OptionTableOf, testing::Values(getopt_words, boost_words),
                         parser_name);

TEST_P(OptionTableOf, ReadsShortAndLongOptionsInAnyOrderWithOperands) {
  const auto words = parse({"a", "-qo", "x", "b", "--pid=1", "--pid", "2", "-", "--", "-c"});
  ASSERT_TRUE(words);
  EXPECT_THAT(words->operands, ElementsAre("a", "b", "-", "-c"));
  EXPECT_EQ(options_.output, "x");
  EXPECT_TRUE(options_.is_quiet);
  EXPECT_THAT(options_.pids, ElementsAre("1", "2"));
}

TEST_P(OptionTableOf, AppliesTheLastOfRepeatedOptions) {
  ASSERT_TRUE(parse({"-o", "a", "--output=b", "-oc"}));
  EXPECT_EQ(options_.output, "c");
}

TEST_P(OptionTableOf, AcceptsAnOlderSpelling) {
  ASSERT_TRUE(parse({"--every", "1", "--every=2", "--interval", "3"}));
  EXPECT_THAT(options_.pids, ElementsAre("1", "2", "3"));
  EXPECT_THAT(error_of({"--every", "0"}), StartsWith("--interval: found \"0\", expected "));
  EXPECT_THAT(error_of({"--every"}), StartsWith("option --every requires a value ("));
}

TEST_P(OptionTableOf, AcceptsAnOptionWithAndWithoutItsOptionalValue) {
  const auto words = parse({"--detail", "--detail=all", "-q", "--detail"});
  ASSERT_TRUE(words);
  EXPECT_THAT(options_.pids, ElementsAre("detail=", "detail=all", "detail="));
  EXPECT_TRUE(words->operands.empty());
}

TEST_P(OptionTableOf, RejectsUnknownOptionsByName) {
  EXPECT_EQ(error_of({"--bogus=1"}), "unknown option --bogus (tool --help lists all options)");
  EXPECT_THAT(error_of({"x", "-qx"}), StartsWith("unknown option -x ("));
  EXPECT_THAT(error_of({"--outpt", "x"}),
              StartsWith("unknown option --outpt; did you mean --output? ("));
}

TEST_P(OptionTableOf, RejectsShortenedOptions) {
  EXPECT_THAT(error_of({"--out", "x"}), StartsWith("unknown option --out"));
  EXPECT_THAT(error_of({"--qui"}), StartsWith("unknown option --qui"));
}

TEST_P(OptionTableOf, RejectsAnOptionWithoutItsValue) {
  EXPECT_THAT(error_of({"--output"}), StartsWith("option --output requires a value ("));
  EXPECT_THAT(error_of({"-o"}), HasSubstr("requires a value ("));
}

TEST_P(OptionTableOf, RejectsAValueForAnOptionThatTakesNone) {
  EXPECT_THAT(error_of({"--quiet=1"}), StartsWith("option --quiet takes no value ("));
}

TEST_P(OptionTableOf, SurvivesPlaceholdersOfBoost) {
  EXPECT_THAT(error_of({"--%option%=%value%"}), StartsWith("unknown option --%option%"));
  EXPECT_THAT(error_of({"--quiet=%canonical_option%"}), StartsWith("option --quiet takes no"));
}

TEST_P(OptionTableOf, ReportsTheExpectedValue) {
  EXPECT_EQ(error_of({"--pid", "0"}),
            "--pid: found \"0\", expected a number above 0 (tool --help lists all options)");
}

TEST_P(OptionTableOf, PrintsHelp) {
  EXPECT_EQ(text_of("-h"), R"(tool: does a thing

USAGE
  tool [OPTION]... [FILE]

INPUT
      --pid PID        only this process

OUTPUT
  -o, --output FILE    write there, whole or not at all; a name that ends in
                       .zst is compressed, and so on until the line is full
                       [default: -]
  -q, --quiet          no progress [a b], at all
      --a-name-that-is-too-long VALUE
                       its text is below
      --detail[=WORD]  more or less of it
      --interval TIME  its older name is hidden
  -h, --help           print this page
  -V, --version        print the version

EXIT STATUS
  0 done
)");
}

TEST_P(OptionTableOf, PrintsTheVersion) {
  EXPECT_THAT(text_of("--version"), StartsWith("tool "));
}

class GetoptWords : public OptionTableOf {};
INSTANTIATE_TEST_SUITE_P(Alone, GetoptWords, testing::Values(getopt_words));

TEST_P(GetoptWords, AcceptAValueThatLooksLikeAnOption) {
  ASSERT_TRUE(parse({"-o", "--quiet"}));
  EXPECT_EQ(options_.output, "--quiet");
  EXPECT_FALSE(options_.is_quiet);
}

TEST_P(GetoptWords, PrintHelpInsteadOfLaterWords) {
  const auto help = parse({"-h", "--bogus"});
  ASSERT_TRUE(help);
  EXPECT_THAT(help->text_instead, StartsWith("tool: "));
}

}  // namespace
}  // namespace physmem
