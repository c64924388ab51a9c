// SPDX-License-Identifier: MIT
// What processes use, and which of them are asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process_filter.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

// Two processes of a user share a page of /bin/sh; the second, of another, has a page in swap and
// the bss of a library.
constexpr std::string_view kTwoUsers =
    R"(T: sh      , 10, 0000000A, 1, 0, 0, 0, 0, 0, 0, 10, 100, 1, 0, 0, 0, 0, 0, /user/a
V: 00400000, 00400FFF, 00001000, 00001000, 00000000, 00001005, /bin/sh, 00000000, FE:01, 12
P: 1, 1, 1, 0, 1, 0
M: 00400000=00010000, 2, 0000086C |
V: 7FFD3E000000, 7FFD3E003FFF, 00004000, 00002000, 00000000, 00000103, [stack], 00000000, 00:00, 0
P: 2, 0, 0, 2, 0, 0
M: 7FFD3E001000=00030000, 1, 00005868 | 7FFD3E002000=00091000, 1, 00005868 |
T: python3 , 11, 0000000B, 1, 0, 0, 0, 0, 0, 0, 11, 200, 1, 1000, 0, 0, 0, 0, /user/b/c
V: 00400000, 00400FFF, 00001000, 00001000, 00000000, 00001005, /bin/sh, 00000000, FE:01, 12
P: 1, 1, 1, 0, 1, 0
M: 00400000=00010000, 2, 0000086C |
V: 7FFD3E000000, 7FFD3E003FFF, 00004000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, 0
P: 1, 0, 0, 1, 0, 1
M: 7FFD3E003000=00093000, 1, 00005868 |
S: 7FFD3E000000=0:000002A4 |
T: kswapd0 , 52, 00000000, 0, 0, 0, 0, 0, 0, 12, 52, 31, 2, 0, 0, 0, 0, 12, /
E: 3, 4, 5, 1, 0
)";

std::string row_text(const MemoryUseRow& row) {
  return row.name + row.cgroup + (row.uid ? " u" + std::to_string(*row.uid) : "") + " n" +
         std::to_string(row.processes) + " uss " + std::to_string(row.use.unique) + " pss " +
         std::to_string(row.use.share.pages()).substr(0, 3) + " rss " +
         std::to_string(row.use.resident) + " swap " + std::to_string(row.use.swapped());
}

std::vector<std::string> rows_of(UseGrouping grouping, std::vector<NamePattern> units = {},
                                 ProcessFilter only = {}, std::string_view records = kTwoUsers) {
  MemoryUses uses(grouping, std::move(units));
  Census census({&uses}, std::move(only));
  const std::string text =
      std::string(records.starts_with("H:") ? "" : kHeaderLine) + std::string(records);
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  const auto read = reader.next(census);
  EXPECT_TRUE(read) << (read ? "" : read.error().text);
  std::vector<std::string> rows;
  for (const MemoryUseRow& row : uses.rows()) rows.push_back(row_text(row));
  return rows;
}

/// A process whose areas may not be read, one of a recording, and one of which nothing is known.
TEST(MemoryUses, TakeSizesFromCountersIfThereAreNoAreas) {
  MemoryUses uses;
  Census census({&uses}, {.observers = {12}});
  const std::string text =
      std::string(kHeaderLine) + "G: process.10.rss_kB=40, process.10.swap_kB=8\n" +
      "T: hidden  , 10, 0000000A, 1, 0, 0, 0, 0, 0, 0, 10, 100, 1, 0, 0, 0, 0, 0, /\n" +
      "G: process.11.rss_kB=40, process.11.uss_kB=12, process.11.pss_kB=20\n" +
      "T: walked  , 11, 0000000B, 1, 0, 0, 0, 0, 0, 0, 11, 100, 1, 0, 0, 0, 0, 0, /\n" +
      "G: process.12.rss_kB=40\n" +
      "T: observer, 12, 0000000C, 1, 0, 0, 0, 0, 0, 0, 12, 100, 1, 0, 0, 0, 0, 0, /\n" +
      "T: unknown , 13, 0000000D, 1, 0, 0, 0, 0, 0, 0, 13, 100, 1, 0, 0, 0, 0, 0, /\n" +
      "E: 4, 0, 0, 0, 0\n";
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  ASSERT_TRUE(reader.next(census));
  ASSERT_EQ(uses.rows().size(), 2u);
  const MemoryUse hidden = uses.rows()[0].use, walked = uses.rows()[1].use;
  EXPECT_EQ(hidden.resident, 10u);
  EXPECT_EQ(hidden.swapped(), 2u);
  EXPECT_FALSE(hidden.is_unique_known || hidden.is_share_known);
  EXPECT_EQ(walked.unique, 3u);
  EXPECT_EQ(walked.share.pages(), 5.0);
  EXPECT_TRUE(walked.is_unique_known && walked.is_share_known);
}

/// The counter collect.pid names the collector.
TEST(MemoryUses, LeaveOutTheCollectorOfARecordingOnRequest) {
  const std::string text =
      std::string(kHeaderLine) + "G: collect.pid=11\n" + "G: process.10.rss_kB=40\n" +
      "T: sh      , 10, 0000000A, 1, 0, 0, 0, 0, 0, 0, 10, 100, 1, 0, 0, 0, 0, 0, /\n" +
      "G: process.11.rss_kB=80\n" +
      "T: physmem-collect, 11, 0000000B, 1, 0, 0, 0, 0, 0, 0, 11, 100, 1, 0, 0, 0, 0, 0, /\n" +
      "E: 2, 0, 0, 0, 0\n";
  for (const bool leaves_out : {true, false}) {
    MemoryUses uses;
    Census census({&uses}, {.leaves_out_collector = leaves_out});
    const auto source = text_source(text);
    SnapshotReader reader(*source, "s.txt", {});
    ASSERT_TRUE(reader.next(census));
    EXPECT_EQ(uses.total().resident, leaves_out ? 10u : 30u);
  }
}

std::vector<NamePattern> patterns(const std::string& text) {
  return {*NamePattern::parse(text)};
}

TEST(MemoryUses, HasARowForEachProcess) {
  EXPECT_THAT(rows_of(UseGrouping::kProcess),
              ElementsAre("sh/user/a u0 n1 uss 2 pss 2.5 rss 3 swap 0",
                          "python3/user/b/c u1000 n1 uss 1 pss 1.5 rss 2 swap 1"));
}

TEST(MemoryUses, AddsUpGroups) {
  EXPECT_THAT(rows_of(UseGrouping::kName),
              ElementsAre("python3 u1000 n1 uss 1 pss 1.5 rss 2 swap 1",
                          "sh u0 n1 uss 2 pss 2.5 rss 3 swap 0"));
  EXPECT_THAT(rows_of(UseGrouping::kUser), ElementsAre(" u0 n1 uss 2 pss 2.5 rss 3 swap 0",
                                                       " u1000 n1 uss 1 pss 1.5 rss 2 swap 1"));
  EXPECT_THAT(rows_of(UseGrouping::kUnit), ElementsAre("/bin/sh n2 uss 0 pss 1.0 rss 2 swap 0",
                                                       "[anon] n1 uss 1 pss 1.0 rss 1 swap 1",
                                                       "[stack] n1 uss 2 pss 2.0 rss 2 swap 0"));
}

// A program with a page of text, two of [heap], and a stack of a thread after its guard.
constexpr std::string_view kHeapAndStack =
    R"(T: app     , 7, 00000007, 0, 5, 0, 0, 0, 3, 2, 7, 70, 1, 0, 5, 0, 3, 2, /a
V: 00400000, 00400FFF, 00001000, 00001000, 00000000, 00001005, /usr/bin/app, 00000000, FE:01, 11
P: 1, 1, 1, 1, 0, 0
M: 00400000=00005000, 1, 0000086C |
V: 00500000, 00501FFF, 00002000, 00002000, 00000000, 00000003, [heap], 00000000, 00:00, 0
P: 2, 0, 0, 2, 0, 0
M: 00500000=00006000, 1, 00005868 | 00501000=00007000, 1, 00005868 |
V: 7F0001000000, 7F0001000FFF, 00001000, 00000000, 00000000, 00000000, NULL, 00000000, 00:00, 0
P: 0, 0, 0, 0, 0, 0
V: 7F0001001000, 7F0001003FFF, 00003000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, 0
P: 1, 0, 0, 1, 0, 0
M: 7F0001003000=00008000, 1, 00005868 |
T: app     , 8, 00000007, 0, 5, 0, 0, 0, 3, 2, 7, 71, 1, 0, 0, 0, 0, 0, /a
E: 2, 4, 4, 0, 0
)";

TEST(MemoryUses, HeapAndStacksAreNotThoseOfTheFile) {
  EXPECT_THAT(
      rows_of(UseGrouping::kUnit, {}, {}, kHeapAndStack),
      ElementsAre("/usr/bin/app n1 uss 1 pss 1.0 rss 1 swap 0",
                  "[anon] n1 uss 0 pss 0.0 rss 0 swap 0", "[heap] n1 uss 2 pss 2.0 rss 2 swap 0",
                  "[stack] n1 uss 1 pss 1.0 rss 1 swap 0"));
}

// An allocator with guard pages around its memory, in a process without other threads.
TEST(MemoryUses, NoMoreThreadStacksThanThreads) {
  std::string text(kHeapAndStack);
  text.erase(text.find("T: app     , 8"));
  EXPECT_THAT(
      rows_of(UseGrouping::kUnit, {}, {}, text + "E: 1, 4, 4, 0, 0\n"),
      ElementsAre("/usr/bin/app n1 uss 1 pss 1.0 rss 1 swap 0",
                  "[anon] n1 uss 1 pss 1.0 rss 1 swap 0", "[heap] n1 uss 2 pss 2.0 rss 2 swap 0"));
}

// A dump's snapshot names all threads of a process in one place since it has a boot id.
TEST(MemoryUses, NoMoreThreadStacksThanThreadsInADump) {
  std::string text(kHeapAndStack);
  text.erase(text.find("T: app     , 8"));
  text += "E: 1, 4, 4, 0, 0\n";
  const std::string proc(kHeaderLine);
  const std::size_t collector = proc.find("collector=");
  const std::size_t end = proc.find_first_of(",\n", collector);
  for (const bool has_boot_id : {true, false}) {
    const std::string header = proc.substr(0, collector) + "collector=crash" +
                               (has_boot_id ? ", boot_id=0001" : "") + proc.substr(end);
    EXPECT_THAT(rows_of(UseGrouping::kUnit, {}, {}, header + text),
                testing::Contains(has_boot_id ? "[anon] n1 uss 1 pss 1.0 rss 1 swap 0"
                                              : "[stack] n1 uss 1 pss 1.0 rss 1 swap 0"));
  }
}

// glibc 2.42: the guard is the first page of the stack, not an area of its own.
TEST(MemoryUses, FindsThreadStacksByTheirFirstPage) {
  std::string text(kHeapAndStack);
  const std::size_t guard = text.find("V: 7F0001000000");
  text.erase(guard, text.find("V: 7F0001001000") - guard);
  text = with(text, "00001000, 00000000, 00000003, NULL", "00001000, 00000000, 10000003, NULL");
  EXPECT_THAT(rows_of(UseGrouping::kUnit, {}, {}, with(text, "E: 2, 4, 4", "E: 2, 3, 4")),
              testing::Contains("[stack] n1 uss 1 pss 1.0 rss 1 swap 0"));
}

TEST(MemoryUses, CountsMergedPagesOnRequest) {
  std::string text = with(std::string(kHeapAndStack), "00501000=00007000, 1, 00005868",
                          "00501000=00007000, 5, 00205868");
  text = with(text, "P: 2, 0, 0, 2, 0, 0", "P: 2, 0, 0, 1, 1, 0");
  for (const UseGrouping grouping : {UseGrouping::kProcess, UseGrouping::kName}) {
    MemoryUses uses(grouping);
    uses.count_pages();
    fold(std::string(kHeaderLine) + text, {&uses});
    EXPECT_TRUE(uses.knows_merged());
    EXPECT_EQ(uses.rows().at(0).use.flagged.merged, 1u);
  }
  MemoryUses units(UseGrouping::kUnit);
  units.count_pages();
  fold(std::string(kHeaderLine) + with(text, "E: 2", "G: note.ksm_unknown=1\nE: 2"), {&units});
  EXPECT_EQ(units.rows().at(2).use.flagged.merged, 1u);
  EXPECT_FALSE(units.knows_merged()) << "the kernel marks every anonymous page";
}

// A page of each kind: two anonymous ones, of which one is freed lazily, shared memory, a file, a
// huge page of hugetlbfs and the zero page.
TEST(MemoryUses, CountsPagesByTheirFlagsOnRequest) {
  const std::string text =
      std::string(kHeaderLine) +
      "T: app     , 7, 00000007, 0, 5, 0, 0, 0, 3, 2, 7, 70, 1, 0, 5, 0, 3, 2, /a\n"
      "V: 00500000, 00505FFF, 00006000, 00006000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n"
      "P: 6, 0, 0, 5, 0, 0\n"
      "M: 00500000=00006000, 1, 00005828 | 00501000=00007000, 1, 00001828 | "
      "00502000=00008000, 1, 0000487C | 00503000=00009000, 1, 0000086C | "
      "00504000=0000A000, 1, 00020000 | 00505000=0000B000, 0, 01000000 |\n"
      "E: 1, 1, 6, 0, 0\n";
  MemoryUses uses;
  uses.count_pages();
  fold(text, {&uses});
  EXPECT_EQ(uses.rows().at(0).use.flagged,
            (FlaggedPages{.anonymous = 2, .shared_memory = 1, .lazily_freed = 1, .hugetlb = 1}));
  EXPECT_EQ(uses.rows().at(0).use.resident, 4u) << "hugetlb is not in Rss";
}

TEST(MemoryUses, HasOnlyUnitsThatAreAskedFor) {
  EXPECT_THAT(rows_of(UseGrouping::kUnit, patterns("sh")),
              ElementsAre("/bin/sh n2 uss 0 pss 1.0 rss 2 swap 0"));
  EXPECT_THAT(rows_of(UseGrouping::kProcess, patterns("[[]stack]")),
              ElementsAre("sh/user/a u0 n1 uss 2 pss 2.5 rss 3 swap 0"));
}

TEST(MemoryUses, HasAnonymousMemoryByItsName) {
  const std::string text = with(std::string(kTwoUsers), "00000003, NULL", "00000003, [anon:jit x]");
  EXPECT_THAT(rows_of(UseGrouping::kUnit, {}, {}, text),
              testing::Contains("[anon:jit x] n1 uss 1 pss 1.0 rss 1 swap 1"));
}

TEST(MemoryUses, HasOnlyTheMemoryOfFilesPerProcess) {
  for (const auto& [grouping, name] :
       {std::pair(UseGrouping::kProcess, "sh"), std::pair(UseGrouping::kName, "sh")}) {
    MemoryUses uses(grouping, patterns("sh"));
    uses.count_only_units();
    fold(std::string(kHeaderLine) + std::string(kTwoUsers), {&uses});
    const std::vector<MemoryUseRow> rows = uses.rows();
    ASSERT_EQ(rows.size(), 2U);
    const auto row = std::ranges::find(rows, name, &MemoryUseRow::name);
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->use.resident, 1U);
    EXPECT_EQ(row->use.unique, 0U) << "both processes map the page";
    EXPECT_EQ(row->use.share.pages(), 0.5);
  }
}

// A JIT compiler maps its code twice, as writable and as executable memory.
constexpr std::string_view kMappedTwice =
    R"(T: jit     , 7, 00000007, 0, 0, 0, 0, 0, 0, 0, 7, 100, 1, 0, 0, 0, 0, 0, /
V: 7F0000000000, 7F0000001FFF, 00002000, 00002000, 00000000, 0000000B, /jit, 00000000, 00:01, 11
P: 2, 0, 0, 0, 2, 0
M: 7F0000000000=00010000, 2, 0000487C | 7F0000001000=00011000, 2, 0000487C |
V: 7F1000000000, 7F1000001FFF, 00002000, 00002000, 00000000, 0000000D, /jit, 00000000, 00:01, 11
P: 2, 2, 2, 0, 2, 0
M: 7F1000000000=00010000, 2, 0000487C | 7F1000001000=00011000, 2, 0000487C |
E: 1, 2, 4, 0, 0
)";

TEST(MemoryUses, FramesThatAProcessMapsTwiceAreItsOwn) {
  EXPECT_THAT(rows_of(UseGrouping::kProcess, {}, {}, kMappedTwice),
              ElementsAre("jit/ u0 n1 uss 2 pss 2.0 rss 4 swap 0"));
  EXPECT_THAT(rows_of(UseGrouping::kUnit, {}, {}, kMappedTwice),
              ElementsAre("/jit n1 uss 2 pss 2.0 rss 4 swap 0"));
  // A third mapping, of a process that is not in the snapshot.
  const std::string other =
      with(std::string(kMappedTwice), "7F0000001000=00011000, 2", "7F0000001000=00011000, 3");
  EXPECT_THAT(rows_of(UseGrouping::kProcess, {}, {},
                      with(other, "7F1000001000=00011000, 2", "7F1000001000=00011000, 3")),
              ElementsAre("jit/ u0 n1 uss 1 pss 1.6 rss 4 swap 0"));
}

// Processes 7 and 8 of one user share two frames; process 9 maps one of them, too.
std::string shared_by(std::uint64_t user_of_9, const char* frame_of_9) {
  const auto process = [](std::uint64_t pid, std::uint64_t uid, const std::string& pages) {
    const std::string id = std::to_string(pid), count = pid == 9 ? "1" : "2";
    return "T: app     , " + id + ", 0000000" + id + ", 0, 0, 0, 0, 0, 0, 0, " + id + ", 100, 1, " +
           std::to_string(uid) + ", 0, 0, 0, 0, /" + id +
           "\nV: 7F0000000000, 7F0000003FFF, 00004000, 0000" + count +
           "000, 00000000, 0000000B, /dev/zero, 00000000, 00:01, 11\nP: " + count + ", 0, 0, 0, " +
           count + ", 0\nM: " + pages + "\n";
  };
  const bool is_third = std::string_view(frame_of_9) == "00010000";
  const std::string pages = std::string("7F0000000000=00010000, ") + (is_third ? "3" : "2") +
                            ", 0000487C | 7F0000001000=00011000, 2, 0000487C |";
  return process(7, 26, pages) + process(8, 26, pages) +
         process(9, user_of_9, std::string("7F0000000000=") + frame_of_9 + ", 3, 0000487C |") +
         "E: 3, 3, 5, 0, 0\n";
}

TEST(MemoryUses, FramesThatAGroupSharesAreItsOwn) {
  const auto by_user = [](const std::string& records) {
    return rows_of(UseGrouping::kUser, {}, {}, records);
  };
  EXPECT_THAT(by_user(shared_by(26, "00010000")),
              ElementsAre(" u26 n3 uss 2 pss 2.0 rss 5 swap 0"));
  EXPECT_THAT(by_user(shared_by(0, "00010000")), ElementsAre(" u0 n1 uss 0 pss 0.3 rss 1 swap 0",
                                                             " u26 n2 uss 1 pss 1.6 rss 4 swap 0"));
  EXPECT_THAT(by_user(shared_by(0, "00020000")), ElementsAre(" u0 n1 uss 0 pss 0.3 rss 1 swap 0",
                                                             " u26 n2 uss 2 pss 2.0 rss 4 swap 0"));
  EXPECT_THAT(rows_of(UseGrouping::kName, {}, {.pids = {7, 9}}, shared_by(0, "00010000")),
              ElementsAre("app u0 n2 uss 0 pss 1.1 rss 3 swap 0"))
      << "8 is not asked for, and maps both frames";
}

TEST(MemoryUses, KnowNoFramesOfAGroupWithoutPages) {
  const auto is_known = [](const std::string& text) {
    MemoryUses uses(UseGrouping::kName);
    fold(text, {&uses});
    return uses.rows().at(0).has_unique();
  };
  const std::string shared = std::string(kHeaderLine) + shared_by(0, "00010000");
  EXPECT_TRUE(is_known(shared));
  EXPECT_FALSE(is_known(with(shared, "count=mapcount", "count=average")));
  const std::string unread =
      "G: process.6.rss_kB=40, process.6.uss_kB=4\n"
      "T: app     , 6, 00000006, 0, 0, 0, 0, 0, 0, 0, 6, 100, 1, 0, 0, 0, 0, 0, /6\nT: app     , 7";
  EXPECT_FALSE(is_known(with(with(shared, "T: app     , 7", unread), "E: 3", "E: 4")));
}

TEST(MemoryUses, HasOnlyProcessesThatAreAskedFor) {
  const std::string sh = "sh/user/a u0 n1 uss 2 pss 2.5 rss 3 swap 0";
  EXPECT_THAT(rows_of(UseGrouping::kProcess, {}, {.names = patterns("s*")}), ElementsAre(sh));
  EXPECT_THAT(rows_of(UseGrouping::kProcess, {}, {.users = {0}}), ElementsAre(sh));
  EXPECT_THAT(rows_of(UseGrouping::kProcess, {}, {.cgroups = patterns("/user/a")}),
              ElementsAre(sh));
  EXPECT_THAT(rows_of(UseGrouping::kProcess, {}, {.pids = {10}}), ElementsAre(sh));
  EXPECT_TRUE(rows_of(UseGrouping::kProcess, {}, {.pids = {10}, .users = {1000}}).empty());
}

TEST(ProcessFilter, SelectsControlGroupsWithThoseBelow) {
  const auto has = [](const char* pattern, const char* cgroup) {
    Task task;
    task.group = TaskGroup{0, 0, 0, 0, cgroup};
    return ProcessFilter{.cgroups = patterns(pattern)}.has(task);
  };
  EXPECT_TRUE(has("/user", "/user/b/c"));
  EXPECT_TRUE(has("/", "/user"));
  EXPECT_TRUE(has("*/b", "/user/b/c"));
  EXPECT_FALSE(has("/us", "/user"));
  EXPECT_FALSE(has("/user/b", "/user"));
}

TEST(NamePattern, IsAGlobOrAnExpression) {
  const auto matches = [](const char* pattern, const char* name) {
    return NamePattern::parse(pattern)->matches(name);
  };
  EXPECT_TRUE(matches("py*", "python3"));
  EXPECT_FALSE(matches("py", "python3"));
  EXPECT_TRUE(matches("/lib/*", "/lib/a/b"));
  EXPECT_TRUE(matches("/^py|perl$/", "xperl"));
  EXPECT_FALSE(matches("/^perl/", "xperl"));
  EXPECT_FALSE(NamePattern::parse(""));
  EXPECT_FALSE(NamePattern::parse("/(/"));
}

/// Both execute /bin/sh; the second is a child of the first, or of process 1.
TEST(MemoryUses, TreesHaveTheFramesThatTheirProcessesShare) {
  const std::string siblings(kTwoUsers);
  const std::string child = with(siblings, "11, 200, 1, 1000", "11, 200, 10, 1000");
  EXPECT_THAT(rows_of(UseGrouping::kTree, {}, {}, child),
              ElementsAre("sh u0 n2 uss 4 pss 4.0 rss 5 swap 1"));
  EXPECT_EQ(rows_of(UseGrouping::kTree).size(), 2U);
  // A parent that is not in the table, and parents of each other.
  EXPECT_THAT(rows_of(UseGrouping::kTree, {}, {.pids = {11}}, child),
              ElementsAre("python3 u1000 n1 uss 1 pss 1.5 rss 2 swap 1"));
  const std::string circle = with(child, "10, 100, 1, 0,", "10, 100, 11, 0,");
  EXPECT_FALSE(rows_of(UseGrouping::kTree, {}, {}, circle).empty());
}

TEST(MemoryUses, ProgramsAreFilesThatProcessesExecute) {
  EXPECT_THAT(rows_of(UseGrouping::kProgram),
              ElementsAre(testing::StartsWith("/bin/sh u1000 n2 uss 4 pss 4.0")));
  const std::string data =
      with(with(std::string(kTwoUsers), "00001005, /bin/sh", "00000001, /bin/sh"),
           "00001005, /bin/sh", "00000001, /bin/sh");
  EXPECT_THAT(rows_of(UseGrouping::kProgram, {}, {}, data),
              ElementsAre(testing::StartsWith("[no program]")));
}

}  // namespace
}  // namespace physmem
