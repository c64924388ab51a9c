// SPDX-License-Identifier: MIT
#include "analyzer/cli/parse_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/command_words.h"
#include "tests/unit/temporary_folder.h"

namespace physmem {
namespace {

Result<Options> parse(const std::vector<const char*>& arguments) {
  return CommandWords("physmem-analyze", {arguments.begin(), arguments.end()})
      .given_to(parse_options);
}

std::string error_of(const std::vector<const char*>& arguments) {
  const auto options = parse(arguments);
  if (options) return "";
  EXPECT_EQ(options.error().kind, Error::Kind::kUsage);
  return options.error().text;
}

using Names = std::set<std::string>;

TEST(Options, DefaultsToSummaryOfStandardInput) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->questions, Names{"summary"});
  EXPECT_EQ(options->inputs, std::vector<std::string>{"-"});
  EXPECT_EQ(options->output, "-");
  EXPECT_FALSE(options->format);
}

TEST(Options, CombinesAnalysesAndFiles) {
  const auto options = parse({"--basic", "a.txt", "--alerts", "b.txt", "--csv", "--virtual",
                              "--full", "--keep-going", "-o", "a.csv"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->questions, (Names{"basic", "alerts"}));
  EXPECT_EQ(options->inputs, (std::vector<std::string>{"a.txt", "b.txt"}));
  EXPECT_EQ(options->format, Format::kCsv);
  EXPECT_TRUE(options->is_virtual && options->is_full && options->keep_going);
}

TEST(Options, AcceptsEveryAnalysis) {
  const auto options = parse(
      {"--basic", "--vma", "--units", "--totals", "--alerts", "--count", "--pages", "--summary"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->questions.size(), 8u);
}

TEST(Options, RefuseColumnsThatTheTableDoesNotHave) {
  EXPECT_THAT(error_of({"--processes", "--columns", "pid,mapping"}),
              testing::StartsWith("--columns: found file, which the table of --ask ps does"));
  EXPECT_THAT(error_of({"--processes", "--group", "cgroup", "--sort", "pid"}),
              testing::StartsWith("--sort: found pid, which the table of --ask ps --group"));
  EXPECT_NE(error_of({"--mappings", "--sort", "user"}), "");
  EXPECT_NE(error_of({"--processes", "--users", "--columns", "pid"}), "");
  EXPECT_EQ(error_of({"--mappings", "--columns", "PSS,File,mapping"}), "");
}

TEST(Options, SelectsFramesByNodeZoneAndTier) {
  const auto options = parse({"--ledger", "--cache", "--node", "0,2", "--zone", "DMA,Normal",
                              "--tier", "4", "--by", "zone", "a.txt"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->selection.nodes, (std::set<std::uint64_t>{0, 2}));
  EXPECT_EQ(options->selection.zones, (std::set<std::string>{"DMA", "Normal"}));
  EXPECT_EQ(options->selection.tiers, (std::set<std::uint64_t>{4}));
  EXPECT_EQ(options->selection.by, RamSelection::By::kZone);
}

TEST(Options, SelectsPagesOfEveryQuestionThatCountsThem) {
  for (const char* question :
       {"--summary", "--basic", "--vma", "--units", "--totals", "--alerts", "--count", "--pages",
        "--diff", "--leaks", "--ledger", "--cache", "--slab", "--kernel", "--fragmentation"})
    EXPECT_EQ(error_of({question, "--node", "0", "--zone", "Normal", "a"}), "") << question;
  for (const char* question : {"--basic", "--totals", "--count", "--ledger", "--cache", "--slab",
                               "--kernel", "--fragmentation"})
    EXPECT_EQ(error_of({question, "--by", "node", "a"}), "") << question;
}

TEST(Options, ShapesTheTablesOfDifferences) {
  const auto options = parse({"--diff", "--pages", "--top", "5", "a.txt", "b.txt"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->questions, Names{"diff"}) << "--pages is the unit";
  EXPECT_TRUE(options->shapes_diff);
  EXPECT_EQ(options->use.unit, SizeUnit::kPages);
  EXPECT_EQ(options->use.top, 5);
  EXPECT_TRUE(parse({"--diff", "--mib", "a.txt", "b.txt"})->shapes_diff);
  EXPECT_FALSE(parse({"--diff", "a.txt", "b.txt"})->shapes_diff);
  EXPECT_FALSE(parse({"--processes", "--mib", "a.txt"})->shapes_diff);
  EXPECT_EQ(parse({"--diff", "--csv", "--kib", "a.txt", "b.txt"})->use.unit, SizeUnit::kKib);
  EXPECT_TRUE(error_of({"--diff", "--csv", "--top", "3", "a.txt", "b.txt"})
                  .starts_with("--top: found --csv, expected text"));
}

TEST(Options, RefusesASelectionThatWouldBeIgnored) {
  EXPECT_TRUE(error_of({"--ledger", "--verify", "--node", "0", "a", "b"})
                  .starts_with("--node: expected --basic, --vma, "));
  EXPECT_TRUE(error_of({"--basic", "--virtual", "--zone", "DMA"})
                  .starts_with("--zone: found --virtual with it"));
  EXPECT_TRUE(error_of({"--basic", "--track", "x", "--tier", "4"})
                  .starts_with("--tier: found --track with it"));
  EXPECT_TRUE(error_of({"--ledger", "--diff", "--by", "node", "a", "b"})
                  .starts_with("--by: expected --basic, --totals, --count, --ask ledger, cache, "
                               "slab, kernel or fragmentation with it"));
  EXPECT_TRUE(error_of({"--by", "node"}).starts_with("--by: expected --basic, "));
  EXPECT_TRUE(error_of({"--cache", "--by", "node", "a", "b"})
                  .starts_with("--by: found two snapshots of --ask cache with it"));
  EXPECT_TRUE(error_of({"--cache", "--maps", "x", "--by", "node"})
                  .starts_with("--by: found --maps with it"));
  EXPECT_TRUE(error_of({"--basic", "--track", "x", "--by", "node"})
                  .starts_with("--by: found --track with it"));
  EXPECT_TRUE(error_of({"--ledger", "--maps", "x"}).starts_with("--maps: expected --ask cache"));
  EXPECT_TRUE(error_of({"--ledger", "--by", "cpu"}).starts_with("--by: found \"cpu\", expected "));
  EXPECT_EQ(parse({"--ledger", "--node", "0-2,5", "a"})->selection.nodes,
            (std::set<std::uint64_t>{0, 1, 2, 5}));
  EXPECT_TRUE(error_of({"--ledger", "--node", "2-0"}).starts_with("--node: found \"2-0\""));
  EXPECT_TRUE(error_of({"--ledger", "--node", "0-"}).starts_with("--node: found \"0-\""));
  EXPECT_TRUE(
      error_of({"--ledger", "--node", "0,"}).starts_with("--node: found \"0,\", expected "));
  EXPECT_TRUE(error_of({"--ledger", "--zone", ""}).starts_with("--zone: found"));
}

TEST(Options, ChoosesFormatByOutputFileExtension) {
  const std::pair<const char*, Format> kEndings[] = {
      {"a.csv", Format::kCsv},       {"a.json", Format::kJson},
      {"a.ps", Format::kPs},         {"a.pdf", Format::kPdf},
      {"a.svg", Format::kSvg},       {"a.png", Format::kPng},
      {"a.txt", Format::kText},      {"a.db", Format::kSqlite},
      {"a.sqlite", Format::kSqlite}, {"a.perfetto-trace", Format::kPerfetto}};
  for (const auto& [file, format] : kEndings) {
    const auto options = is_export(format) ? parse({"-o", file}) : parse({"--basic", "-o", file});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->format, format) << file;
  }
  for (const char* file : {"a", "v1.d/a", ".a", "a.", "a.2026-11-24", "/dev/fd/63"})
    EXPECT_FALSE(parse({"-o", file})->format) << file;
  EXPECT_EQ(parse({"-o", "a.csv", "--json"})->format, Format::kJson)
      << "an explicit format option takes precedence";
}

TEST(Options, RejectsOutputFileWithUnknownExtension) {
  EXPECT_TRUE(
      error_of({"-o", "chart.jpg"})
          .starts_with(
              "--output: found \"chart.jpg\", expected a name that ends in .txt, .csv, .json, "
              ".jsonl, .ps, .pdf, .svg, .png, .db, .sqlite, .perfetto-trace, .folded or .prom, or "
              "a form "
              "as an "
              "option, such as --text"));
  for (const char* file : {"x.html", "a.csv.old", "a.CSV", "a.csv.gz", "/tmp/a.jpeg"})
    EXPECT_NE(error_of({"-o", file}), "") << file;
  EXPECT_EQ(parse({"-o", "x.html", "--csv"})->format, Format::kCsv)
      << "an explicit format option takes precedence";
}

TEST(Options, SelectsNoAnalysisForAnExport) {
  EXPECT_TRUE(parse({"--sqlite"})->questions.empty());
  EXPECT_TRUE(parse({"-o", "a.perfetto-trace"})->questions.empty());
  EXPECT_TRUE(error_of({"--sqlite", "--basic"}).starts_with("--sqlite: found --basic with it"));
  EXPECT_TRUE(error_of({"--basic", "-o", "a.db"}).starts_with("--sqlite: found --basic with it"));
  EXPECT_TRUE(
      error_of({"--perfetto", "--track", "t"}).starts_with("--perfetto: found --track with it"));
  EXPECT_TRUE(error_of({"--sqlite", "--node", "0"})
                  .starts_with("--sqlite: found --node, --zone or --tier with it"));
  EXPECT_TRUE(error_of({"--sqlite", "--by", "node"}).starts_with("--sqlite: found --by with it"));
}

TEST(Options, HasAWeightOfStacksOnly) {
  EXPECT_EQ(parse({"--folded"})->weight, StackWeight::kPss);
  EXPECT_EQ(parse({"--folded", "--weight", "rss"})->weight, StackWeight::kRss);
  EXPECT_TRUE(error_of({"--folded", "--weight", "uss"})
                  .starts_with("--weight: found \"uss\", expected pss or rss"));
  EXPECT_TRUE(
      error_of({"--basic", "--weight", "rss"}).starts_with("--weight: expected --ask folded"));
  EXPECT_EQ(parse({"--folded", "-o", "a.folded"})->format, Format::kText);
  EXPECT_EQ(parse({"-o", "a.folded"})->questions, std::set<std::string>{"folded"});
  EXPECT_EQ(parse({"-o", "a.prom"})->questions, std::set<std::string>{"metrics"});
  EXPECT_TRUE(error_of({"--basic", "-o", "a.folded"})
                  .starts_with("--output a.folded: expected --ask folded"));
}

TEST(Options, RejectsConflictingOptions) {
  EXPECT_TRUE(error_of({"--csv", "--json"})
                  .starts_with("--csv: found --json with it, expected only one of"));
  EXPECT_TRUE(error_of({"--basic", "--physical", "--virtual"})
                  .starts_with("--physical: found --virtual with it, expected only one of them ("));
}

TEST(Options, RejectsUnknownAndAbbreviatedOptions) {
  for (const char* option : {"--colour", "--bas", "--keep", "-x"})
    EXPECT_TRUE(error_of({option}).starts_with("unknown option " + std::string(option)))
        << error_of({option});
  EXPECT_TRUE(error_of({"--bas"}).starts_with("unknown option --bas; did you mean --basic? ("));
}

TEST(Options, RejectsOptionsThatLookLikePlaceholdersOfBoost) {
  EXPECT_TRUE(error_of({"--%option%"}).starts_with("unknown option --%option% ("));
  EXPECT_TRUE(error_of({"--%value%=%value%"}).starts_with("unknown option --%value% ("));
  EXPECT_TRUE(error_of({"-%original_token%"}).starts_with("unknown option -% ("));
  EXPECT_TRUE(error_of({"--csv=%canonical_option%"}).starts_with("option --csv takes no value"));
  EXPECT_EQ(parse({"-o", "%value%.csv"})->output, "%value%.csv") << "a valid file name";
}

TEST(Options, RejectsOptionWithoutValue) {
  EXPECT_NE(error_of({"-o"}), "");
  EXPECT_NE(error_of({"--track"}), "");
}

TEST(Options, ReadsListOfProcessIds) {
  EXPECT_EQ(parse({"--pid", "1,23,456"})->only.pids, (std::set<std::uint64_t>{1, 23, 456}));
  for (const char* wrong : {"", ",", "1,", "1,,2", "x", "0", "-1", "1 2", "99999999999999999999"})
    EXPECT_TRUE(error_of({"--pid", wrong})
                    .starts_with(std::string("--pid: found \"") + wrong +
                                 "\", expected process ids separated by commas, such as 1,4711"))
        << wrong;
}

TEST(Options, RejectsServiceTimeThatIsNotPositive) {
  EXPECT_EQ(parse({"--faults", "--service-time", "0.2"})->service_time_ms, 0.2);
  for (const char* wrong : {"", "0", "-1", "inf", "nan", "0x1", "8ms", "1e7"})
    EXPECT_TRUE(error_of({"--service-time", wrong})
                    .starts_with(std::string("--service-time: found \"") + wrong +
                                 "\", expected milliseconds"))
        << wrong;
}

TEST(Options, RejectsElfRootThatIsNotADirectory) {
  EXPECT_TRUE(parse({"--alerts", "--elf-root", "/"}));
  for (const char* wrong : {"/nonexistent", "/dev/null", ""})
    EXPECT_TRUE(
        error_of({"--elf-root", wrong})
            .starts_with(std::string("--elf-root: found \"") + wrong + "\", expected a directory"))
        << wrong;
}

TEST(Options, RequestsNoAnalysisIfOnlyTrackIsGiven) {
  const auto options = parse({"--track", "pages.csv", "--label", "v1.2", "s.txt"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->questions.empty());
  EXPECT_EQ(options->track_file, "pages.csv");
  EXPECT_EQ(options->track_label, "v1.2");
}

TEST(Options, RejectsOptionsWithoutEffect) {
  EXPECT_TRUE(error_of({"--label", "v1"}).starts_with("--label: expected --track with it ("));
  EXPECT_TRUE(error_of({"--basic", "--service-time", "8"})
                  .starts_with("--service-time: expected --ask faults with it ("));
  EXPECT_TRUE(error_of({"--elf-root", "/"})
                  .starts_with("--elf-root: expected --alerts or --ask alerts with it ("));
  EXPECT_TRUE(error_of({"--vma", "--virtual"})
                  .starts_with("--virtual: expected --basic or --totals with it ("));
  EXPECT_TRUE(error_of({"--vma", "--full", "a.txt"}).starts_with("--full: expected --basic, "));
  EXPECT_TRUE(parse({"--ledger", "--cache", "--slab", "--kernel", "--top", "5"}));
  EXPECT_TRUE(error_of({"--fragmentation", "--top", "5"}).starts_with("--top: expected "));
  EXPECT_TRUE(
      error_of({"--slab", "--csv", "--top", "5"}).starts_with("--top: found --csv, expected text"));
  EXPECT_TRUE(error_of({"--slab", "--by", "zone", "--top", "5"}).starts_with("--top: found --by"));
  for (const char* input : {"/", "--fleet"}) EXPECT_TRUE(parse({"--count", "--full", input}));
  const std::vector<const char*> kNoCsv[] = {{"--spreadsheet"},
                                             {"--spreadsheet", "--basic", "--text"},
                                             {"--spreadsheet", "--basic", "-o", "a.png"}};
  for (const auto& arguments : kNoCsv)
    EXPECT_TRUE(error_of(arguments).starts_with(
        "--spreadsheet: expected CSV output, such as --csv, with it ("));
  for (const char* what : {"--basic", "--csv"}) EXPECT_TRUE(parse({"--spreadsheet", what})) << what;
}

TEST(Options, AskIsTheVerbOfEachQuestion) {
  EXPECT_EQ(parse({"--ask", "ps"})->questions, parse({"--processes"})->questions);
  EXPECT_EQ(parse({"--ask", "units"})->questions, parse({"--mappings"})->questions);
  EXPECT_EQ(parse({"--ask", "alerts"})->questions, parse({"--private-text"})->questions);
  EXPECT_EQ(parse({"--ask", "ledger,cache", "--basic"})->questions,
            parse({"--basic", "--cache", "--ledger"})->questions);
  for (const char* word : {"", "basic", "ps,", "processes"})
    EXPECT_THAT(error_of({"--ask", word}),
                testing::HasSubstr("expected summary, overview, ps, units"))
        << word;
}

TEST(Options, PrintsHelpAndVersion) {
  const auto options = parse({"--help"});
  ASSERT_TRUE(options);
  for (const char* part : {"USAGE", "--ask QUESTION", "--basic", "--png", "--output", "--track",
                           "EXAMPLES", "EXIT STATUS"})
    EXPECT_THAT(options->text_instead, testing::HasSubstr(part));
  EXPECT_THAT(options->text_instead, testing::Not(testing::HasSubstr("--processes")))
      << "an older option";
  EXPECT_TRUE(parse({"--version"})->text_instead.starts_with("physmem-analyze "));
}

TEST(Options, RejectsOutputThatIsAnInput) {
  const TemporaryFolder folder;
  const std::string file = folder.put("snapshot.txt", "H: 2");
  const std::string message =
      "found \"" + file + "\" as input and as output, expected different files";
  EXPECT_THAT(error_of({"--basic", "-o", file.c_str(), "b.txt", file.c_str()}),
              testing::HasSubstr(message));
  EXPECT_THAT(error_of({"--track", file.c_str(), file.c_str()}), testing::HasSubstr(message));
  EXPECT_EQ(error_of({"-o", "/dev/null", "/dev/null"}), "");
}

TEST(Options, RejectsOutputThatIsTheTrackFile) {
  const TemporaryFolder folder;
  const std::string file = folder.path("pages.csv"), same = folder.path("./pages.csv");
  const std::string message =
      "found \"" + file + "\" as --track and as --output, expected different files";
  EXPECT_THAT(error_of({"--track", file.c_str(), "-o", same.c_str()}), testing::HasSubstr(message));
  folder.put("pages.csv", "");
  EXPECT_THAT(error_of({"--track", file.c_str(), "-o", same.c_str()}), testing::HasSubstr(message));
}

}  // namespace
}  // namespace physmem
