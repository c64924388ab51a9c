// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdio>

#include "formats/emit/flags.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;

constexpr const char* kCatMaps =
    R"(55d0c1a00000-55d0c1a02000 r-xp 00003000 fe:01 1835           /usr/bin/physmem-cat
55d0c1b00000-55d0c1b01000 rw-s 00000000 00:01 9              /memfd:a, b\012c (deleted)
7ffd3e000000-7ffd3e021000 rw-p 00000000 00:00 0              [stack]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0      [vsyscall]
)";

/// A process with two pages of its program, a memfd without pages, and a stack with one resident
/// and one swapped page.
void add_cat(FixtureTree& tree) {
  tree.process({.tid = 371, .comm = "cat", .ppid = 370, .threads = 2}, kCatMaps);
  tree.link("371/exe", "/usr/bin/physmem-cat");
  tree.page(371, 0x55d0c1a00000, present(0x1a2b3));
  tree.page(371, 0x55d0c1a01000, present(0x1a2b4));
  tree.page(371, 0x7ffd3e01f000, swapped(0, 0x2a4));
  tree.page(371, 0x7ffd3e020000, present(0x2c0f5));
  tree.frame(0x1a2b3, 2, 0x86c);
  tree.frame(0x1a2b4, 2, 0x86c);
  tree.frame(0x2c0f5, 1, 0x5868);
}

TEST(Snapshot, DescribesSmallSystem) {
  FixtureTree tree;
  tree.process({.tid = 52, .comm = "kswapd0", .ppid = 2, .vsize = 0, .uid = 0});
  add_cat(tree);
  tree.thread(371, {.tid = 372, .comm = "worker, 2"});
  const Collected snapshot = snapshot_of(tree);
  EXPECT_EQ(snapshot.error, "");
  EXPECT_EQ(snapshot.header,
            "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns=1000, "
            "uptime_ns=2000, "
            "hz=100, "
            "ram_pages=1024, phys_mask=FFFFFFFFFF000, pte=none, prot=none, flags=kpf, "
            "count=mapcount, pages=all, "
            "pfn=shown\n"
            "G: mem.MemTotal_kB=4096, mem.Active_anon_kB=12\n");
  EXPECT_EQ(snapshot.text, R"(
T: kswapd0 , 52, 00000000, 3, 10, 12, 11, 13, 14, 15, 52, 5000, 2, 0, 100, 102, 104, 105, /user.slice
T: cat     , 371, 00000173, 3, 10, 12, 11, 13, 14, 15, 371, 5000, 370, 1000, 100, 102, 104, 105, /user.slice
V: 55D0C1A00000, 55D0C1A01FFF, 00002000, 00002000, 00000000, 00001005, /usr/bin/physmem-cat, 00003000, FE:01, 1835
P: 2, 2, 2, 0, 2, 0
M: 55D0C1A00000=1A2B3000, 2, 0000086C | 55D0C1A01000=1A2B4000, 2, 0000086C |
V: 55D0C1B00000, 55D0C1B00FFF, 00001000, 00000000, 00000000, 0000000B, /memfd:a\054 b\012c (deleted), 00000000, 00:01, 9
P: 0, 0, 0, 0, 0, 0
V: 7FFD3E000000, 7FFD3E020FFF, 00021000, 00001000, 00000000, 00000103, [stack], 00000000, 00:00, 0
P: 1, 0, 0, 1, 0, 1
M: 7FFD3E020000=2C0F5000, 1, 00005868 |
S: 7FFD3E01F000=0:000002A4 |
T: worker\054 2, 372, 00000173, 3, 10, 12, 11, 13, 14, 15, 371, 5000, 1, 1000
E: 3, 3, 3, 1, 0
)");
}

TEST(Snapshot, HasSameCountsWithoutPages) {
  FixtureTree tree;
  add_cat(tree);
  const Collected snapshot = snapshot_of(tree, {.pids = {}, .with_pages = false});
  EXPECT_THAT(snapshot.header, HasSubstr(", pages=none, pfn=shown\n"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nP: 2, 2, 2, 0, 2, 0\nV: "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nP: 1, 0, 0, 1, 0, 1\nE: "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nE: 1, 3, 3, 1, 0\n"));
  EXPECT_FALSE(snapshot.losses.is_incomplete());
}

TEST(Snapshot, HasOnlyTasksAndCountersWithoutAreas) {
  FixtureTree tree;
  add_cat(tree);
  tree.remove("371/task/371/maps");
  const Collected snapshot = snapshot_of(tree, {.with_areas = false});
  EXPECT_EQ(snapshot.header,
            "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns=1000, "
            "uptime_ns=2000, "
            "hz=100, ram_pages=1024, phys_mask=FFFFFFFFFF000, pte=none, prot=none, flags=kpf, "
            "pages=none, "
            "areas=none\nG: mem.MemTotal_kB=4096, mem.Active_anon_kB=12\n");
  EXPECT_EQ(snapshot.text, R"(
T: cat     , 371, 00000173, 3, 10, 12, 11, 13, 14, 15, 371, 5000, 370, 1000, 100, 102, 104, 105, /user.slice
E: 1, 0, 0, 0, 0
)");
  EXPECT_FALSE(snapshot.losses.is_incomplete());
}

TEST(Snapshot, ResetsCountsForNextSnapshot) {
  FixtureTree tree;
  tree.process({.tid = 7, .flags = 0x40}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.page(7, 0x10000, present(0x5000));
  const Result<ProcTree> root = ProcTree::open(tree.root());
  Collector collector(*root, {.pids = {7}});
  Progress progress(false);
  TextOutput output;
  const Machine machine{"x86_64", "6.1.0", 4096, 100, 1000, 2000};
  ASSERT_TRUE(collector.snapshot(machine, output, progress));
  const std::string first = output.text();
  output.clear();
  ASSERT_TRUE(collector.snapshot(machine, output, progress));
  EXPECT_EQ(output.text(), first);
}

TEST(Snapshot, HasHostNameIfKnown) {
  FixtureTree tree;
  tree.process({.tid = 7});
  const Result<ProcTree> root = ProcTree::open(tree.root());
  Collector collector(*root, {});
  Progress progress(false);
  TextOutput output;
  ASSERT_TRUE(collector.snapshot({.page_size = 4096, .host = "web,1"}, output, progress));
  EXPECT_THAT(output.text().substr(0, output.text().find('\n')),
              testing::EndsWith(", host=web\\0541"));
  output.clear();
  ASSERT_TRUE(collector.snapshot({.page_size = 4096}, output, progress));
  EXPECT_THAT(output.text(), testing::Not(HasSubstr("host=")));
}

TEST(Snapshot, HasMachineIdAndBootIdIfKnown) {
  FixtureTree tree;
  tree.process({.tid = 7});
  const Result<ProcTree> root = ProcTree::open(tree.root());
  Collector collector(*root, {});
  Progress progress(false);
  TextOutput output;
  const Machine machine{.page_size = 4096, .machine_id = "c05e", .boot_id = "6d2f-01"};
  ASSERT_TRUE(collector.snapshot(machine, output, progress));
  EXPECT_THAT(output.text().substr(0, output.text().find('\n')),
              testing::EndsWith(", machine_id=c05e, boot_id=6d2f-01"));
  output.clear();
  ASSERT_TRUE(collector.snapshot({.page_size = 4096}, output, progress));
  EXPECT_THAT(output.text(),
              testing::Not(testing::AnyOf(HasSubstr("boot_id="), HasSubstr("machine_id="),
                                          HasSubstr("uptime_ns="))));
  EXPECT_EQ(machine_of(*ProcTree::open("/proc")).boot_id.size(), 36u);
}

// A copy of another machine's /proc: nothing of this machine may be in the header.
TEST(Snapshot, SaysOfACopyOnlyWhatItContains) {
  FixtureTree tree;
  tree.process({.tid = 7});
  const Machine bare = machine_of(*ProcTree::open(tree.root()));
  EXPECT_EQ(bare.kernel, "unknown");
  EXPECT_EQ(bare.host + bare.machine_id + bare.boot_id, "");
  EXPECT_EQ(bare.uptime_ns, 0u);
  tree.file("uptime", "12.34 5.00\n");
  tree.file("sys/kernel/osrelease", "5.4.0\n");
  const Machine known = machine_of(*ProcTree::open(tree.root()));
  EXPECT_EQ(known.kernel, "5.4.0");
  EXPECT_EQ(known.uptime_ns, 12'000'000'000u);
}

TEST(Snapshot, ReusesUserAndControlGroupOfPreviousSnapshotWithoutAreas) {
  FixtureTree tree;
  tree.process({.tid = 7, .vsize = 0});
  const Result<ProcTree> root = ProcTree::open(tree.root());
  for (const bool with_areas : {false, true}) {
    Collector collector(*root, {.with_areas = with_areas});
    Progress progress(false);
    TextOutput output;
    tree.file("7/cgroup", "0::/old\n");
    ASSERT_TRUE(collector.snapshot({.page_size = 4096}, output, progress));
    tree.file("7/cgroup", "0::/new\n");
    output.clear();
    ASSERT_TRUE(collector.snapshot({.page_size = 4096}, output, progress));
    EXPECT_THAT(output.text(), HasSubstr(with_areas ? ", /new\n" : ", /old\n"));
    // Another process with the same id.
    tree.file("7/stat",
              "7 (other) S 1 1 1 0 -1 0 1 2 3 4 5 6 0 0 20 0 1 0 5001 0 7 0 11 12 99 0 0 0 0 0 0 0 "
              "0 0 17 3 "
              "0 0 0\n");
    output.clear();
    ASSERT_TRUE(collector.snapshot({.page_size = 4096}, output, progress));
    EXPECT_THAT(output.text(), HasSubstr(", /new\n"));
    tree.process({.tid = 7, .vsize = 0});
  }
}

TEST(Snapshot, AcceptsMissingProcessesAfterFirstSnapshot) {
  FixtureTree tree;
  tree.process({.tid = 7, .vsize = 0});
  const Result<ProcTree> root = ProcTree::open(tree.root());
  Collector collector(*root, {.pids = {7}});
  Progress progress(false);
  TextOutput output;
  ASSERT_TRUE(collector.snapshot({.page_size = 4096}, output, progress));
  tree.remove("7/stat");
  const Result<Losses> second = collector.snapshot({.page_size = 4096}, output, progress);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->task_exited, 1u);
  EXPECT_THAT(output.text(), testing::EndsWith("\nG: note.task_exited=1\nE: 0, 0, 0, 0, 0\n"));
}

TEST(Snapshot, ContainsOnlySelectedProcesses) {
  FixtureTree tree;
  for (std::uint64_t pid : {5u, 6u, 7u}) tree.process({.tid = pid, .vsize = 0, .threads = 2});
  tree.thread(6, {.tid = 66, .vsize = 0});
  tree.file("66/status", "Tgid:\t6\nUid:\t0\t0\t0\t0\n");
  const Collected snapshot = snapshot_of(tree, {.pids = {7, 66}});
  EXPECT_THAT(snapshot.text, HasSubstr("\nT: task    , 6, 00000000,"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nE: 3, 0, 0, 0, 0\n"));
}

constexpr const char* kSharedMemoryMaps =
    "10000-14000 rw-s 00000000 00:01 9              /memfd:a (deleted)\n"
    "20000-24000 rw-p 00000000 00:01 9              /memfd:a (deleted)\n"
    "30000-31000 rw-s 00000000 fe:01 7              /data\n";

/// Each mapping of the memfd has three pages in swap. The page table of the private mapping
/// contains one of its swap slots.
void add_shared_memory(FixtureTree& tree) {
  tree.process({.tid = 7}, kSharedMemoryMaps);
  tree.page(7, 0x20000, swapped(0, 5));
  std::string smaps(kSharedMemoryMaps);
  smaps.insert(smaps.find("20000-"), "Swap:                 12 kB\n");
  smaps.insert(smaps.find("30000-"), "Swap:                 12 kB\n");
  tree.file("7/task/7/smaps", smaps);
}

TEST(Snapshot, CountsSharedMemoryInSwap) {
  FixtureTree tree;
  add_shared_memory(tree);
  tree.file("meminfo", "MemTotal: 4096 kB\nSwapTotal: 1024 kB\nSwapFree: 1000 kB\n");
  const std::string text = snapshot_of(tree).text;
  EXPECT_THAT(
      text,
      HasSubstr("/memfd:a (deleted), 00000000, 00:01, 9\nP: 0, 0, 0, 0, 0, 0, 3\nV: 00020000"));
  EXPECT_THAT(text, HasSubstr("\nP: 0, 0, 0, 0, 0, 1, 2\nS: 00020000=0:00000005 |\n"));
  EXPECT_THAT(text,
              HasSubstr("/data, 00000000, FE:01, 7\nP: 0, 0, 0, 0, 0, 0\nE: 1, 3, 0, 1, 0\n"));
  const std::string counts = snapshot_of(tree, {.with_pages = false}).text;
  EXPECT_THAT(counts, HasSubstr("\nP: 0, 0, 0, 0, 0, 3\nV: 00020000"));
  EXPECT_THAT(counts, HasSubstr("\nE: 1, 3, 0, 6, 0\n"));
}

TEST(Snapshot, DoesNotReadSmapsWhileSwapIsUnused) {
  FixtureTree tree;
  add_shared_memory(tree);
  tree.file("meminfo", "MemTotal: 4096 kB\nSwapTotal: 1024 kB\nSwapFree: 1024 kB\n");
  EXPECT_THAT(snapshot_of(tree).text, HasSubstr("00:01, 9\nP: 0, 0, 0, 0, 0, 0\nV: 00020000"));
}

TEST(Snapshot, SkipsSharedSwapOfAreaThatChanged) {
  FixtureTree tree;
  add_shared_memory(tree);
  tree.file("meminfo", "MemTotal: 4096 kB\nSwapTotal: 1024 kB\nSwapFree: 0 kB\n");
  tree.file("7/task/7/smaps",
            "10000-15000 rw-s 00000000 00:01 9 /memfd:a (deleted)\nSwap: 12 kB\n");
  EXPECT_THAT(snapshot_of(tree).text, HasSubstr("00:01, 9\nP: 0, 0, 0, 0, 0, 0\nV: 00020000"));
}

constexpr const char* kRollup =
    "10000-20000 ---p 00000000 00:00 0 [rollup]\nRss:      12 kB\nPss:       9 kB\n";

TEST(Snapshot, HasCountsOfTheKernelForEachAddressSpace) {
  FixtureTree tree;
  tree.process({.tid = 6, .vsize = 0});
  tree.process({.tid = 7}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.file("7/task/7/smaps_rollup", kRollup);
  tree.process({.tid = 8, .vsize = 0});
  const std::string text = snapshot_of(tree, {.with_witnesses = true}).text;
  EXPECT_THAT(text, HasSubstr("G: process.7.before.rss_kB=12, process.7.before.pss_kB=9, "
                              "process.7.before.faults=202\nT: task    , 7,"));
  EXPECT_THAT(text,
              HasSubstr("\nP: 0, 0, 0, 0, 0, 0\nG: process.7.after.rss_kB=12, "
                        "process.7.after.pss_kB=9, process.7.after.faults=202\nT: task    , 8,"));
  EXPECT_THAT(text, testing::Not(HasSubstr("process.8")));
  EXPECT_THAT(snapshot_of(tree).text, testing::Not(HasSubstr("process.7")));
}

TEST(Snapshot, HasTasksOfTheMachineForEachAddressSpace) {
  FixtureTree tree;
  tree.file("loadavg", "0.61 0.46 0.43 2/147 21046\n");
  tree.file("vmstat", "pgfree 5\npgfault 4711\npgmajfault 3\n");
  tree.process({.tid = 6, .vsize = 0});
  tree.process({.tid = 7}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.file("7/task/7/smaps_rollup", kRollup);
  const std::string text = snapshot_of(tree, {.with_witnesses = true}).text;
  for (const std::string when : {"before", "after"})
    EXPECT_THAT(text, HasSubstr("process.7." + when + ".tasks=147, process.7." + when +
                                ".newest=21046, process.7." + when + ".all_faults=4711\n"));
}

TEST(Snapshot, CountsBrokenPagesAndThoseThatAreMovedOfEachAddressSpace) {
  FixtureTree tree;
  tree.process({.tid = 7}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.file("7/task/7/smaps_rollup", kRollup);
  tree.frame(50, 0, PM_PAGE_HWPOISON);
  tree.frame(51, 1, PM_PAGE_ANON);
  tree.page(7, 0x10000, swapped(26, 50));
  tree.page(7, 0x11000, swapped(28, 51));
  tree.page(7, 0x12000, swapped(28, 51));
  const std::string text = snapshot_of(tree, {.with_witnesses = true}).text;
  EXPECT_THAT(text, HasSubstr("G: process.7.poisoned=1\nG: process.7.migrating=2\n"));
  EXPECT_THAT(snapshot_of(tree).text, testing::Not(HasSubstr("process.7")));
}

TEST(Snapshot, WithRamHasPageTablesOfEachAddressSpace) {
  FixtureTree tree;
  tree.process({.tid = 6, .vsize = 0});
  tree.process({.tid = 7, .threads = 2}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.thread(7, {.tid = 8}, "10000-20000 rw-p 00000000 00:00 0\n");
  const std::string status = "Tgid:\t7\nUid:\t0\t0\t0\t0\nVmPTE:\t      68 kB\n";
  tree.file("7/task/7/status", status);
  tree.file("7/task/8/status", status);
  const Collected snapshot =
      snapshot_of(tree, {.ram = Scope::Ram::kTotals, .sys_root = tree.root() + "/sys"});
  EXPECT_THAT(snapshot.text, HasSubstr("G: process.7.page_tables_kB=68\nT: task    , 7,"));
  EXPECT_THAT(snapshot.text, testing::Not(HasSubstr("process.6")));
  EXPECT_THAT(snapshot.text, testing::Not(HasSubstr("process.8")));
  EXPECT_THAT(snapshot_of(tree).text, testing::Not(HasSubstr("page_tables_kB")));
}

TEST(Snapshot, FailsIfRollupIsMalformed) {
  FixtureTree tree;
  tree.process({.tid = 7}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.file("7/task/7/smaps_rollup", "Rss: 12 kB\n");
  const Collected snapshot = snapshot_of(tree, {.with_witnesses = true});
  EXPECT_EQ(snapshot.status, Exit::kBadInput);
  EXPECT_THAT(snapshot.error,
              HasSubstr("7/task/7/smaps_rollup is malformed: expected lines Rss: and Pss:"));
}

TEST(Snapshot, FailsIfSelectedProcessIsMissing) {
  FixtureTree tree;
  const Collected snapshot = snapshot_of(tree, {.pids = {7}});
  EXPECT_EQ(snapshot.status, Exit::kIo);
  EXPECT_EQ(snapshot.error, "there is no process or thread 7 in " + tree.root() +
                                "; --pid requires ids of running ones");
}

TEST(Snapshot, FindsProgramByInodeIfNameDiffers) {
  FixtureTree tree;
  tree.file("program", "x");
  struct stat program {};
  ASSERT_EQ(::stat((tree.root() + "/program").c_str(), &program), 0);
  char line[200];
  std::snprintf(line, sizeof line, "1000-2000 r-xp 00000000 %02x:%02x %llu  /other/name\n",
                major(program.st_dev), minor(program.st_dev),
                static_cast<unsigned long long>(program.st_ino));
  tree.process({.tid = 7}, line);
  tree.link("7/exe", tree.root() + "/program");
  EXPECT_THAT(snapshot_of(tree).text, HasSubstr(", 00000000, 00001005, /other/name,"));
}

// A kernel without CONFIG_PROC_PAGE_MONITOR.
TEST(Snapshot, HasSizesIfTheKernelShowsNoPages) {
  FixtureTree tree;
  tree.process({.tid = 7}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.remove("kpagecount");
  tree.remove("kpageflags");
  tree.remove("7/task/7/pagemap");
  const Collected snapshot = snapshot_of(tree);
  EXPECT_EQ(snapshot.losses.areas_unsupported, 1u);
  EXPECT_EQ(snapshot.losses.task_exited, 0u);
  EXPECT_TRUE(snapshot.losses.frames_missing);
  EXPECT_THAT(snapshot.header, HasSubstr("\nG: process.7.rss_kB="));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: note.areas_unsupported=1, note.frames_missing=1\n"));
}

TEST(Snapshot, MarksAreasThatBeginWithAGuardPage) {
  FixtureTree tree;
  tree.process({.tid = 7},
               "10000-20000 rw-p 00000000 00:00 0\n20000-30000 rw-p 00000000 00:00 0\n");
  tree.page(7, 0x10000, swapped(31, 4));
  tree.page(7, 0x18000, swapped(31, 4));
  tree.page(7, 0x21000, swapped(31, 5));  // also write-protected
  tree.page(7, 0x22000, swapped(31, 1));
  const Collected snapshot = snapshot_of(tree);
  EXPECT_THAT(snapshot.text, HasSubstr("V: 00010000, 0001FFFF, 00010000, 00000000, 00000000, "
                                       "10000003,"));
  EXPECT_THAT(snapshot.text, HasSubstr("V: 00020000, 0002FFFF, 00010000, 00000000, 00000000, "
                                       "00000003,"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: markers.guard=3, markers.write_protect=1\n"));
}

TEST(Snapshot, CountsUnreadableFramesEntriesInTransitAndUnknownSharing) {
  FixtureTree tree;
  tree.process({.tid = 7, .flags = 0x40}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.page(7, 0x10000, present(0x5000));  // beyond kpagecount and kpageflags
  tree.page(7, 0x11000, swapped(31, 0x5001));
  const Collected snapshot = snapshot_of(tree);
  EXPECT_THAT(snapshot.text,
              HasSubstr("\nP: 1, 0, 0, 0, 0, 0\nM: 00010000=05000000, 0, 00100000 |\n"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: note.in_transit=1, note.frame_unreadable=1, "
                                       "note.sharing_unknown=1\nE: 1, 1, 1, 0, 0\n"));
}

TEST(Snapshot, RejectsMalformedProcTree) {
  FixtureTree tree;
  EXPECT_EQ(snapshot_of(tree).status, Exit::kBadInput);  // no process
  tree.process({.tid = 7}, "rubbish\n");
  EXPECT_THAT(snapshot_of(tree).error,
              HasSubstr("/7/task/7/maps is malformed: \"rubbish\" is not a line of maps"));
  tree.file("7/task/7/stat", "rubbish\n");
  EXPECT_THAT(snapshot_of(tree).error, HasSubstr("/7/task/7/"));
  tree.remove("meminfo");
  EXPECT_THAT(snapshot_of(tree).error, HasSubstr("this is not a /proc tree"));
}

}  // namespace
}  // namespace physmem::collect
