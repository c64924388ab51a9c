// SPDX-License-Identifier: MIT
// The tasks and areas of a process (I8), and the counts used if pages are not listed.
#include <gtest/gtest.h>

#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/time/fault_sample.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// One line per process: name, pid, threads, and the file, anonymous, special, swapped and
/// single-use pages of each area.
class ProcessText : public Analysis {
 public:
  void on_process(const Process& process) override {
    text += fmt::format("{} {} threads={}", process.task.comm, process.pid(), process.threads);
    for (const Area& area : process.areas)
      text += fmt::format(" [{} {} {} {} single={}]", area.tally.file.pages, area.tally.anon.pages,
                          area.tally.special, area.tally.swapped, area.tally.single());
    text += '\n';
  }
  std::string text = "\n";
};

std::string processes_of(std::string_view snapshot, std::set<std::uint64_t> only = {},
                         bool keep_going = false) {
  ProcessText processes;
  fold(snapshot, {&processes}, std::move(only), keep_going);
  return processes.text;
}

TEST(Process, GroupsTasksByAddressSpace) {
  EXPECT_EQ(processes_of(maps_snapshot(R"(
kernel kthreadd 2
process cat 7
10000000-10002000 rw-p 0 0 - : a1 f2
thread worker 8
thread worker 9
process dog 10
kernel kswapd0 52
kernel kswapd1 53
)")),
            R"(
kthreadd 2 threads=1
cat 7 threads=3 [1 1 0 0 single=1]
dog 10 threads=1
kswapd0 52 threads=1
kswapd1 53 threads=1
)");
}

// A child after vfork() with a thread of its own, which share the address space of the shell.
TEST(Process, CountsNoTasksOfProcessesThatShareItsAddressSpace) {
  const std::string text =
      std::string(kHeaderLine) +
      "T: sh      , 7, 00000007, 0, 5, 0, 0, 0, 3, 2, 7, 70, 1, 0, 5, 0, 3, 2, /a\n"
      "V: 00400000, 00400FFF, 00001000, 00001000, 00000000, 00000003, [heap], 00000000, 00:00, 0\n"
      "P: 1, 0, 0, 1, 0, 0\n"
      "M: 00400000=00005000, 1, 00005868 |\n"
      "T: child   , 8, 00000007, 0, 5, 0, 0, 0, 3, 2, 8, 80, 7, 0, 5, 0, 3, 2, /a\n"
      "T: thread  , 9, 00000007, 0, 5, 0, 0, 0, 3, 2, 8, 81, 7, 0\n"
      "E: 3, 1, 1, 0, 0\n";
  EXPECT_EQ(processes_of(text), "\nsh 7 threads=1 [0 1 0 0 single=1]\n");
  Summary summary;
  fold(text, {&summary});
  EXPECT_EQ(summary.threads(), 3u);
  EXPECT_EQ(summary.processes(), 2u);
}

constexpr std::string_view kEndedLeader =
    "T: zomb    , 10, 00000000, 0, 5, 1, 0, 0, 3, 2, 10, 7, 1, 1000, 50, 10, 30, 20, /\n"
    "T: dog     , 11, 0000000C, 0, 0, 0, 0, 0, 0, 0, 11, 8, 1, 1000, 0, 0, 0, 0, /\n"
    "T: worker  , 12, 0000000B, 0, 4, 1, 0, 0, 2, 2, 10, 8, 1, 1000\n"
    "V: 0002D000, 00031FFF, 00005000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n"
    "P: 1, 0, 0, 1, 0, 0\nM: 0002D000=00001000, 1, 00005828 |\n"
    "T: worker2 , 13, 0000000B, 0, 4, 1, 0, 0, 2, 2, 10, 8, 1, 1000\nE: 4, 1, 1, 0, 0\n";

TEST(Process, HasNameAndPidOfEndedLeader) {
  const std::string snapshot = std::string(kHeaderLine) + std::string(kEndedLeader);
  EXPECT_EQ(processes_of(snapshot, {10}),
            "\nzomb 10 threads=1\nzomb 10 threads=3 [0 1 0 0 single=1]\n");
  Basic basic;
  Summary summary;
  fold(snapshot, {&basic, &summary});
  ASSERT_EQ(basic.rows().size(), 2u) << "one row per process";
  EXPECT_EQ(basic.rows()[1].name, "zomb");
  EXPECT_EQ(basic.rows()[1].physical.of(Region::kHeap), 1u);
  EXPECT_EQ(summary.processes(), 2u);
  EXPECT_EQ(summary.threads(), 4u);
  EXPECT_EQ(summary.kernel_threads(), 0u);
}

TEST(Process, HasOneRowInDiffAndFaultsIfLeaderEnded) {
  SnapshotDiff diff;
  FaultSampler faults;
  const std::string snapshot = std::string(kHeaderLine) + std::string(kEndedLeader);
  fold(snapshot, {&diff, &faults});
  fold(snapshot, {&diff});
  std::string names;
  for (const ProcessChange& row : diff.processes())
    names += fmt::format("{} {} ", row.name, row.pid);
  EXPECT_EQ(names, "zomb 10 ");
  names.clear();
  for (const ProcessCounters& row : faults.sample().processes)
    names += fmt::format("{} {} ", row.name, row.id.pid);
  EXPECT_EQ(names, "zomb 10 dog 11 ");
}

constexpr std::string_view kThreads = R"(T: link-mon , 7, c018c0a0, 0, 0, 0, 0, 0, 0, 0
V: 0FE94000, 0FE95FFF, 00002000, 00002000, 00000412, 00000075, /lib/libc-2.2.5.so
P: 2, 0, 2, 0, 2
M: 0FE94000=02876000, 3, 00000054 | 0FE95000=02849000, 6, 000420CC |
)";

TEST(Process, CountsAreasRepeatedByThreadsOfVersion1Once) {
  ProcessText processes;
  const Census census = fold(std::string(kThreads) + std::string(kThreads), {&processes});
  EXPECT_EQ(processes.text, "\nlink-mon 7 threads=2 [2 0 0 0 single=0]\n");
  EXPECT_EQ(census.repeated_areas(), 1u);
}

TEST(Process, CountsAreasRepeatedAfterAnotherTaskOnce) {
  ProcessText processes;
  const Census census =
      fold(std::string(kThreads) + "T: init , 1, 5, 0, 0, 0, 0, 0, 0, 0\n" + std::string(kThreads),
           {&processes});
  EXPECT_EQ(processes.text, "\nlink-mon 7 threads=1 [2 0 0 0 single=0]\ninit 1 threads=1\n");
  EXPECT_EQ(census.repeated_areas(), 1u);
}

TEST(Process, CountsAreasOfFirstThreadThatHasAreas) {
  EXPECT_EQ(
      processes_of("T: link-mon , 6, c018c0a0, 0, 0, 0, 0, 0, 0, 0\n" + std::string(kThreads)),
      "\nlink-mon 6 threads=2 [2 0 0 0 single=0]\n");
}

TEST(Process, IsSelectedByPid) {
  const std::string snapshot = maps_snapshot(
      "process a 1\n1000-2000 rw-p 0 0 - : a1\nthread a 3\nprocess b 2\n1000-2000 rw-p 0 0 - : "
      "f1\n");
  EXPECT_EQ(processes_of(snapshot, {2}), "\nb 2 threads=1 [1 0 0 0 single=1]\n");
  EXPECT_EQ(processes_of(snapshot, {1, 2}),
            "\na 1 threads=2 [0 1 0 0 single=1]\nb 2 threads=1 [1 0 0 0 single=1]\n");
  EXPECT_EQ(processes_of(snapshot, {99}), "\n");
}

TEST(Process, UsesAreaCountsIfNoPagesAreListed) {
  std::string snapshot = with(kSample, "pages=all", "pages=none");
  for (const std::string_view letter : {"\nM:", "\nM:", "\nS:"}) {
    const std::size_t line = snapshot.find(letter);
    snapshot.erase(line, snapshot.find('\n', line + 1) - line);
  }
  EXPECT_EQ(processes_of(snapshot),
            "\ncat 371 threads=1 [2 0 0 0 single=0] [0 1 0 1 single=1]\nkswapd0 52 threads=1\n");
}

TEST(Process, CountsUnusedPagesAsSpecialIfNoPagesAreListed) {
  const std::string area =
      "V: 00100000, 00102FFF, 00003000, 00003000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n";
  for (const auto& [counts, expected] :
       {std::pair("P: 3, 0, 0, 0, 0, 0\n", "\ncat 7 threads=1 [0 0 3 0 single=0]\n"),
        std::pair("P: 3, 0, 0, 1, 0, 0\n", "\ncat 7 threads=1 [0 1 2 0 single=1]\n")})
    EXPECT_EQ(processes_of(with(kHeaderLine, "pages=all", "pages=none") + std::string(kTaskLine) +
                           area + counts + "E: 1, 1, 3, 0, 0\n"),
              expected);
}

TEST(Process, UsesAreaCountsIfPagesAreAbbreviatedAsInFigure1) {
  EXPECT_EQ(processes_of(R"(T: init , 1, c018c0a0, 0, 0, 0, 0, 0, 0, 0
V: 0FE94000, 0FFB0FFF, 0011D000, 0005D000, 00000412, 00000075, /lib/libc-2.2.5.so
P: 93, 0, 93, 3, 90
M: 0FE94000=02876012, 22, 000420CC | 0FE95000=02849012, 1, 000420CC |
...
)"),
            "\ninit 1 threads=1 [93 0 0 0 single=3]\n");
}

TEST(Process, KeepsCorrectSumIfMappingIsDropped) {
  const std::string broken = with(kSample, "| 55D0C1A01000=", "| 55D0C1A01000:");
  EXPECT_EQ(processes_of(broken, {}, true), processes_of(kSample))
      << "the P: count replaces the dropped mapping";
}

TEST(Process, KeepsCorrectSumIfCountsAreDropped) {
  EXPECT_EQ(processes_of(with(kSample, "P: 2, 0, 2, 0, 2, 0", "P: 2, 0, 2, 0, two, 0"), {}, true),
            processes_of(kSample));
}

TEST(Process, IsDroppedWithItsAreasIfTaskLineIsMalformed) {
  EXPECT_EQ(processes_of(with(kSample, "T: cat     , 371", "T: cat     , x71"), {}, true),
            "\nkswapd0 52 threads=1\n");
}

TEST(Process, CountsKernelDataPagesAsSpecial) {
  EXPECT_EQ(processes_of(maps_snapshot(
                "process cat 7\n7FFD00000000-7FFD00004000 r--p 0 0 [vvar] : f0 f0\n")),
            "\ncat 7 threads=1 [0 0 2 0 single=0]\n");
}

// Then smaps has them in Rss.
TEST(Process, CountsKernelDataPagesIfTheKernelCountsTheirMappings) {
  EXPECT_EQ(processes_of(maps_snapshot(
                "process cat 7\n7FFD00000000-7FFD00004000 r--p 0 0 [vvar] : f1 f9\n")),
            "\ncat 7 threads=1 [2 0 0 0 single=1]\n");
}

}  // namespace
}  // namespace physmem
