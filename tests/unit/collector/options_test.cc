// SPDX-License-Identifier: MIT
#include "collector-proc/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/command_words.h"

namespace physmem::collect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Options> parse(std::vector<std::string> words) {
  return CommandWords("physmem-collect", std::move(words)).given_to(parse_options);
}

std::string error_of(const std::vector<std::string>& words) {
  const Result<Options> options = parse(words);
  return options ? "" : options.error().text;
}

TEST(CollectOptions, UsesDefaultsWithoutArguments) {
  const Result<Options> options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->root, "/proc");
  EXPECT_EQ(options->output, "");
  EXPECT_EQ(options->form, SnapshotForm::kText);
  EXPECT_TRUE(options->scope.with_pages);
  EXPECT_TRUE(options->scope.with_areas);
  EXPECT_EQ(options->pace.count, 1u);
  EXPECT_TRUE(options->scope.pids.empty());
}

TEST(CollectOptions, AcceptsAllOptions) {
  const Result<Options> options =
      parse({"-o", "x.zst", "--compact", "--pid", "1,22", "--pid=3", "--root", "/r",
             "--counts-only", "--tasks-only", "--interval", "500ms", "--count", "20"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->output, "x.zst");
  EXPECT_EQ(options->form, SnapshotForm::kCompact);
  EXPECT_THAT(options->scope.pids, ElementsAre(1u, 22u, 3u));
  EXPECT_EQ(options->root, "/r");
  EXPECT_FALSE(options->scope.with_pages);
  EXPECT_FALSE(options->scope.with_areas);
  EXPECT_EQ(options->pace.interval_ns, 500'000'000u);
  EXPECT_EQ(options->pace.count, 20u);
}

TEST(CollectOptions, ChoosesCompactFormatByOutputName) {
  for (const char* name : {"x.pmc", "/a/x.pmc.zst"})
    EXPECT_EQ(parse({"-o", name})->form, SnapshotForm::kCompact) << name;
  for (const char* name : {"x.txt", "x.pmc.txt", "pmc"})
    EXPECT_EQ(parse({"-o", name})->form, SnapshotForm::kText) << name;
}

TEST(CollectOptions, SeriesWithoutCountIsUnlimited) {
  EXPECT_EQ(parse({"--interval", "5"})->pace.count, 0u);
  EXPECT_EQ(parse({"--count", "1", "--interval", "5"})->pace.count, 1u);
}

TEST(CollectOptions, ReadsSequenceAndLostSnapshots) {
  EXPECT_EQ(parse({})->pace.sequence, std::nullopt);
  EXPECT_EQ(parse({})->pace.lost, std::nullopt);
  const Result<Options> options = parse({"--sequence", "0", "--lost", "18446744073709551615"});
  EXPECT_EQ(options->pace.sequence, 0u);
  EXPECT_EQ(options->pace.lost, 18446744073709551615u);
  for (const char* option : {"--sequence", "--lost"})
    for (const char* number : {"", "-1", "3x", "18446744073709551616"})
      EXPECT_THAT(error_of({option, number}), HasSubstr("\", expected a number, 0 or more"))
          << option << number;
}

TEST(CollectOptions, ChoosesTheWayToTheWholeOfRam) {
  using Ram = Scope::Ram;
  EXPECT_EQ(parse({})->scope.ram, Ram::kNone);
  EXPECT_EQ(parse({"--ram"})->scope.ram, Ram::kFrames);
  EXPECT_EQ(parse({"--ram=frames"})->scope.ram, Ram::kFrames);
  EXPECT_EQ(parse({"--ram=frames"})->scope.ram_source, Source::kAuto);
  EXPECT_EQ(parse({"--ram=kcore"})->scope.ram, Ram::kFrames);
  EXPECT_EQ(parse({"--ram=kcore"})->scope.ram_source, Source::kKcore);
  EXPECT_EQ(parse({"--ram=bpf"})->scope.ram_source, Source::kBpf);
  EXPECT_EQ(parse({"--ram=proc"})->scope.ram_source, Source::kProc);
  EXPECT_EQ(parse({"--ram=totals"})->scope.ram, Ram::kTotals);
  EXPECT_EQ(parse({"--ram", "--ram=none"})->scope.ram, Ram::kNone);
  EXPECT_EQ(parse({"--ram=all"}).error().text,
            "--ram: found \"all\", expected frames, bpf, kcore, kmod, proc, totals or none "
            "(physmem-collect --help lists all options)");
  EXPECT_EQ(parse({"--verify"})->scope.ram, Ram::kFrames);
  EXPECT_EQ(parse({"--verify", "--ram=proc"})->scope.ram_source, Source::kProc);
  EXPECT_TRUE(parse({"--verify"})->scope.with_witnesses);
  EXPECT_FALSE(parse({"--ram"})->scope.with_witnesses);
  for (const char* other : {"--ram=totals", "--ram=none", "--tasks-only", "--counts-only"})
    EXPECT_THAT(parse({"--verify", other}).error().text,
                testing::HasSubstr(std::string("--verify: not with ") + other +
                                   ", it requires every frame and every page"));
  EXPECT_EQ(parse({"--sys-root", "/host/sys"})->scope.sys_root, "/host/sys");
}

TEST(CollectOptions, ChoosesTheSourceOfProcesses) {
  EXPECT_EQ(parse({})->scope.source, Source::kAuto);
  EXPECT_EQ(parse({"--source", "bpf"})->scope.source, Source::kBpf);
  EXPECT_EQ(parse({"--source=kcore", "--ram"})->scope.source, Source::kKcore);
  EXPECT_EQ(parse({"--source=kcore", "--source=proc"})->scope.source, Source::kProc);
  EXPECT_THAT(error_of({"--source=none"}),
              HasSubstr("--source: found \"none\", expected auto, bpf, kcore, kmod or proc"));
  for (const char* other : {"--tasks-only", "--jobs=2", "--ram=kcore"})
    EXPECT_THAT(error_of({"--source=bpf", other}), HasSubstr("--source=bpf")) << other;
  for (const char* other :
       {"--pid=1", "--counts-only", "--tasks-only", "--verify", "--ram=totals", "--ram=bpf"})
    EXPECT_THAT(error_of({"--source=kmod", other}), HasSubstr("--source=kmod")) << other;
  EXPECT_THAT(error_of({"--source=proc", "--ram=kmod"}),
              HasSubstr("--ram=kmod: found --source=proc with it"));
  EXPECT_EQ(parse({"--ram=kmod"})->scope.source, Source::kKmod);
}

TEST(CollectOptions, ReadProcIfOnlyItShowsWhatIsAskedFor) {
  EXPECT_EQ(parse({"--source=auto"})->scope.source, Source::kAuto);
  for (const char* other : {"--tasks-only", "--jobs=2"})
    EXPECT_EQ(parse({"--source=auto", other})->scope.source, Source::kProc) << other;
}

TEST(CollectOptions, WritesMetricsInsteadOfSnapshots) {
  EXPECT_EQ(parse({"--metrics", "m.prom"})->metrics, "m.prom");
  EXPECT_THAT(parse({"--metrics", ""}).error().text, HasSubstr("expected the name of a file"));
  EXPECT_THAT(parse({"--metrics", "m.prom", "-o", "snap.txt"}).error().text,
              HasSubstr("--metrics: found --output with it"));
  EXPECT_THAT(parse({"--metrics", "m.prom", "--compact"}).error().text,
              HasSubstr("--metrics: found --compact with it"));
}

TEST(CollectOptions, UsesOneJobByDefault) {
  EXPECT_EQ(parse({})->jobs, 1u);
  EXPECT_EQ(parse({"--jobs", "1024"})->jobs, 1024u);
  EXPECT_EQ(parse({"-j2"})->jobs, 2u);
}

TEST(CollectOptions, HelpPrintsDefaultsAndExitStatus) {
  const Result<Options> options = parse({"--help"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->text_instead, HasSubstr("[default: /proc]"));
  EXPECT_THAT(options->text_instead, HasSubstr("EXIT STATUS"));
  EXPECT_THAT(parse({"--version"})->text_instead, HasSubstr("physmem-collect "));
}

TEST(CollectOptions, RejectsInvalidOptionsWithMessage) {
  EXPECT_EQ(error_of({"--frob"}),
            "unknown option --frob (physmem-collect --help lists all options)");
  EXPECT_THAT(error_of({"foo", "--bogus"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(error_of({"foo", "-xh"}), HasSubstr("unknown option -x"));
  EXPECT_THAT(error_of({"foo", "--jobs"}), HasSubstr("option --jobs requires a value"));
  EXPECT_THAT(error_of({"-x"}), HasSubstr("unknown option -x"));
  EXPECT_THAT(error_of({"--root"}), HasSubstr("option --root requires a value"));
  EXPECT_THAT(error_of({"a.txt", "b.txt"}), HasSubstr("found \"b.txt\", expected only one FILE"));
  EXPECT_THAT(error_of({"-o", "a.txt", "b.txt"}), HasSubstr("found \"b.txt\""));
  for (const char* list : {"", "1,", ",1", "1,,2", "x", "0", "1 2", "99999999999999999999", "-1"})
    EXPECT_THAT(error_of({"--pid", list}),
                HasSubstr("\", expected process ids separated by commas, such as 1,4711"))
        << list;
  for (const char* time : {"", "0", "9ms", "-1", "1d", "5 s", "s", "99999999999999999999", "1.5d"})
    EXPECT_THAT(error_of({"--interval", time}), HasSubstr("\", expected a time of at least 10ms"))
        << time;
  for (const char* count : {"", "0", "-1", "3x", "99999999999999999999"})
    EXPECT_THAT(error_of({"--interval", "1s", "--count", count}),
                HasSubstr("\", expected a number of snapshots"))
        << count;
  for (const char* jobs : {"", "0", "1025", "-1", "two", "2x", "99999999999999999999"})
    EXPECT_THAT(error_of({"--jobs", jobs}), HasSubstr("\", expected a number from 1 to 1024"))
        << jobs;
  EXPECT_THAT(error_of({"--count", "3"}), HasSubstr("--count: expected --interval TIME with it"));
  EXPECT_EQ(parse({"--frob"}).error().kind, Error::Kind::kUsage);
}

}  // namespace
}  // namespace physmem::collect
