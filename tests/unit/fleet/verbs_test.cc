// SPDX-License-Identifier: MIT
#include "fleet/verbs.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>
#include <string>

#include "fleet/parse_options.h"
#include "tests/unit/command_words.h"

namespace physmem::fleet {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

Result<Options> parsed(std::vector<std::string> words) {
  return CommandWords(kProgramName, std::move(words)).given_to([](int argc, char* argv[]) {
    return parse_options(argc, argv);
  });
}

std::string help_of(std::vector<std::string> words) {
  words.emplace_back("--help");
  const auto options = parsed(std::move(words));
  return options ? options->text_instead : options.error().text;
}

/// Long names of options that begin a line, after the letter if there is one.
std::set<std::string> options_of(const std::string& help) {
  std::set<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("      --") || line.starts_with("  -"))
      names.insert(line.substr(line.find("--"), line.find(' ', line.find("--")) - line.find("--")));
  return names;
}

TEST(FleetVerbs, PageOfEachHasTheOptionsThatItTakes) {
  EXPECT_EQ(options_of(help_of({"rollup"})),
            (std::set<std::string>{"--before", "--max-memory", "--help"}));
  EXPECT_EQ(options_of(help_of({"schema"})), std::set<std::string>{"--help"});
  EXPECT_EQ(options_of(help_of({"load"})),
            (std::set<std::string>{"--release", "--replace", "--remove", "--by-folder", "--follow",
                                   "--allow-missing", "--max-memory", "--help"}));
}

TEST(FleetVerbs, EachOptionIsOnThePageOfAVerb) {
  std::set<std::string> found{"--version"};
  for (const VerbText& verb : verb_texts()) {
    const std::string page = help_of({verb.name});
    EXPECT_THAT(page, StartsWith("physmem-fleet " + std::string(verb.name) + ": "));
    EXPECT_THAT(page, HasSubstr("EXAMPLES\n  physmem-"));
    found.merge(options_of(page));
  }
  const auto all = options_of(help_of({}));
  EXPECT_GT(all.size(), 15U);
  EXPECT_THAT(found, IsSupersetOf(all));
}

TEST(FleetVerbs, PageFollowsOperandsAndOptions) {
  EXPECT_EQ(help_of({"ask", "units", "--top", "3"}), help_of({"ask"}));
  EXPECT_THAT(help_of({"unknown"}), StartsWith("physmem-fleet: keep what many hosts"));
  EXPECT_THAT(help_of({"ask"}), Not(HasSubstr("  ask: ")));
}

TEST(FleetVerbs, RejectsAnOptionWithoutEffect) {
  EXPECT_THAT(parsed({"rows", "--follow"}).error().text,
              StartsWith("--follow: has no effect with rows"));
  EXPECT_THAT(parsed({"schema", "--max-memory", "1G", "fleet.db"}).error().text,
              StartsWith("--max-memory: has no effect with schema"));
  EXPECT_TRUE(parsed({"expire", "--before", "90d", "--max-memory", "1G", "fleet.db"}));
}

}  // namespace
}  // namespace physmem::fleet
