// SPDX-License-Identifier: MIT
// Snapshots with --ram of a small /proc tree: classes, runs, cgroups, totals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "collector-proc/ram/frame_class.h"
#include "formats/emit/flags.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kCached = PM_PAGE_LRU | PM_PAGE_UPTODATE;

TEST(FrameClass, IsDecidedByTheFirstFlagThatTellsIt) {
  const auto of = [](std::uint64_t flags, FrameSpan::Kind span = FrameSpan::Kind::kRam) {
    return class_of_frame(flags, 1, span, {});
  };
  EXPECT_EQ(of(0), PM_RAM_UNMARKED);
  EXPECT_EQ(of(PM_PAGE_MMAP | PM_PAGE_REFERENCED), PM_RAM_UNMARKED);  // the vdso's data
  EXPECT_EQ(of(PM_PAGE_MMAP | PM_PAGE_DIRTY), PM_RAM_UNMARKED);       // an array of BPF
  EXPECT_EQ(of(kCached | PM_PAGE_DIRTY), PM_RAM_FILE);
  EXPECT_EQ(of(PM_PAGE_BUDDY), PM_RAM_FREE);
  EXPECT_EQ(of(PM_PAGE_BUDDY | PM_PAGE_REFERENCED), PM_RAM_FREE);
  EXPECT_EQ(of(PM_PAGE_SLAB), PM_RAM_SLAB);
  EXPECT_EQ(of(PM_PAGE_PGTABLE), PM_RAM_PGTABLE);
  EXPECT_EQ(of(PM_PAGE_HUGE | PM_PAGE_UPTODATE), PM_RAM_HUGETLB);
  EXPECT_EQ(of(PM_PAGE_OFFLINE), PM_RAM_BALLOON);
  EXPECT_EQ(of(PM_PAGE_HWPOISON | kCached), PM_RAM_POISON);
  EXPECT_EQ(of(PM_PAGE_NOPAGE), PM_RAM_HOLE);
  EXPECT_EQ(of(kCached), PM_RAM_FILE);
  EXPECT_EQ(of(PM_PAGE_UPTODATE), PM_RAM_FILE);  // not yet on a list
  EXPECT_EQ(of(kCached | PM_PAGE_SWAPBACKED), PM_RAM_SHMEM);
  EXPECT_EQ(of(kCached | PM_PAGE_SWAPBACKED | PM_PAGE_ANON), PM_RAM_ANON);
  EXPECT_EQ(of(PM_PAGE_ZERO_PAGE | kReservedFrame), PM_RAM_ZERO);
  EXPECT_EQ(of(kReservedFrame), PM_RAM_RESERVED);
  EXPECT_EQ(of(kReservedFrame, FrameSpan::Kind::kKernelCode), PM_RAM_KERNEL_CODE);
  EXPECT_EQ(of(kReservedFrame, FrameSpan::Kind::kKernelData), PM_RAM_KERNEL_DATA);
  EXPECT_EQ(of(kReservedFrame, FrameSpan::Kind::kCrashKernel), PM_RAM_CRASH_KERNEL);
  EXPECT_EQ(of(PM_PAGE_ANON, FrameSpan::Kind::kKernelData), PM_RAM_ANON);  // freed by the kernel
}

TEST(FrameClass, IsZsmallocIfOnlyUpToDateAndNoControlGroupPays) {
  const auto of = [](std::uint64_t flags, std::uint64_t cgroup, FlagRules rules) {
    return class_of_frame(flags, cgroup, FrameSpan::Kind::kRam, rules);
  };
  EXPECT_EQ(of(PM_PAGE_UPTODATE, 0, {true, true}), PM_RAM_ZSMALLOC);
  EXPECT_EQ(of(PM_PAGE_UPTODATE, 7, {true, true}), PM_RAM_FILE);
  EXPECT_EQ(of(PM_PAGE_UPTODATE, 0, {true, false}), PM_RAM_FILE);
  EXPECT_EQ(of(PM_PAGE_UPTODATE, 0, {false, true}), PM_RAM_FILE);
  EXPECT_EQ(of(kCached, 0, {true, true}), PM_RAM_FILE);
}

class RamWalkTest : public testing::Test {
 protected:
  RamWalkTest() {
    tree_.process({.tid = 7});
    tree_.file("iomem", "00001000-00009fff : System RAM\n  00002000-00002fff : Kernel data\n");
    tree_.file("zoneinfo",
               "Node 0, zone   Normal\n  pages free     2\n        min      1\n        low      2\n"
               "        high     3\n        spanned  9\n        present  9\n        managed  8\n"
               "              count:    1\n  start_pfn:           1\n");
    for (std::uint64_t pfn = 0; pfn < 10; ++pfn) frame(pfn, 0, 0, 0);
  }
  void frame(std::uint64_t pfn, std::uint64_t count, std::uint64_t flags, std::uint64_t cgroup) {
    tree_.frame(pfn, count, flags);
    tree_.entry("kpagecgroup", pfn, cgroup);
  }
  Collected collected(Scope::Ram ram = Scope::Ram::kFrames, Source by = Source::kAuto) {
    Scope scope;
    scope.with_areas = false;
    scope.ram = ram;
    scope.ram_source = by;
    scope.sys_root = tree_.root() + "/sys";
    return snapshot_of(tree_, scope);
  }
  FixtureTree tree_;
};

TEST_F(RamWalkTest, WritesMountsBeforeOtherOwners) {
  tree_.file("self/mountinfo", "22 1 254:1 / /a,b rw shared:1 - ext4 /dev/vda1 rw\n");
  frame(5, 3, kCached, 77);
  const Collected snapshot = collected();
  EXPECT_THAT(snapshot.text, HasSubstr("O: 1, mount, FE:01, /a\\054b\nR: "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nO: 2, cgroup, 77, online, [deleted]\n"));
  EXPECT_THAT(snapshot.text, HasSubstr("file, 0, 2, 00000028, 3, 00000000\n"));
  EXPECT_THAT(snapshot.text, HasSubstr("ram.owners=2\n"));
}

TEST_F(RamWalkTest, WritesEveryFrameFromZeroToTheEnd) {
  frame(2, 0, kReservedFrame, 0);
  frame(3, 0, PM_PAGE_BUDDY, 0);
  frame(4, 0, PM_PAGE_BUDDY | PM_PAGE_LOCKED, 0);  // a flag that is left out
  frame(5, 3, kCached, 0);
  frame(6, 3, kCached, 0);
  frame(7, 2, kCached, 0);
  const Collected snapshot = collected();
  EXPECT_EQ(snapshot.error, "");
  EXPECT_THAT(snapshot.header, HasSubstr(", ram=all, ram_by=proc"));
  EXPECT_THAT(snapshot.text, HasSubstr("Z: 0, Normal, 00000001, 9, 9, 8, 2, 1, 1, 2, 3\n"));
  EXPECT_THAT(snapshot.text, HasSubstr("R: 00000000, 1, hole, 0, 0, 00000000, 0, 00000000\n"
                                       "R: 00000001, 1, unmarked, 0, 0, 00000000, 0, 00000000\n"
                                       "R: 00000002, 1, kernel_data, 0, 0, 00000000, 0, 00000000\n"
                                       "R: 00000003, 2, free, 0, 0, 00000400, 0, 0000003F\n"
                                       "R: 00000005, 2, file, 0, 0, 00000028, 3, 00000000\n"
                                       "R: 00000007, 1, file, 0, 0, 00000028, 2, 00000000\n"
                                       "R: 00000008, 2, unmarked, 0, 0, 00000000, 0, 00000000\n"
                                       "G: ram.runs=7, ram.frames=10, ram.owners=0\n"));
}

TEST_F(RamWalkTest, WritesTotalsBeforeAndAfterTheFrames) {
  const std::string text = collected().text;
  const auto before = text.find("G: ram.before.total=");
  const auto frames = text.find("R: ");
  const auto after = text.find("G: ram.after.total=");
  EXPECT_LT(before, frames);
  EXPECT_LT(frames, after);
  EXPECT_NE(after, std::string::npos);
}

TEST_F(RamWalkTest, WritesOnlyZonesAndTotalsIfAsked) {
  const Collected snapshot = collected(Scope::Ram::kTotals);
  EXPECT_THAT(snapshot.header, HasSubstr(", ram=totals, ram_by=proc"));
  EXPECT_THAT(snapshot.text, HasSubstr("Z: 0, Normal"));
  EXPECT_THAT(snapshot.text, HasSubstr("ram.after.total="));
  EXPECT_THAT(snapshot.text, Not(HasSubstr("R: ")));
}

TEST_F(RamWalkTest, WritesOnlyTotalsIfFramesAreHidden) {
  tree_.remove("kpageflags");
  for (const Source by : {Source::kAuto, Source::kProc})
    EXPECT_THAT(collected(Scope::Ram::kFrames, by).header, HasSubstr(", ram=totals, ram_by=proc"));
}

TEST_F(RamWalkTest, SaysWhyKcoreCannotBeUsed) {
  EXPECT_THAT(collected(Scope::Ram::kFrames, Source::kKcore).error,
              HasSubstr("cannot open " + tree_.root() + "/kcore"));
  tree_.file("kcore", "no core");
  EXPECT_THAT(collected(Scope::Ram::kFrames, Source::kKcore).error,
              HasSubstr("kcore: found no ELF core"));
  EXPECT_THAT(collected(Scope::Ram::kFrames).header, HasSubstr("ram_by=proc"));
}

TEST_F(RamWalkTest, ReadsNoOtherKernelByBpfThanThatOfTheTree) {
  EXPECT_THAT(collected(Scope::Ram::kFrames, Source::kBpf).error, HasSubstr("is a copy of /proc"));
}

TEST_F(RamWalkTest, WritesNothingOfRamByDefault) {
  const Collected snapshot = collected(Scope::Ram::kNone);
  EXPECT_THAT(snapshot.header, Not(HasSubstr("ram=")));
  EXPECT_THAT(snapshot.text, Not(HasSubstr("ram.")));
}

TEST_F(RamWalkTest, NamesTheControlGroupsThatPay) {
  tree_.file("sys/fs/cgroup/a/memory.stat", "");
  struct stat status {};
  ASSERT_EQ(::stat((tree_.root() + "/sys/fs/cgroup/a").c_str(), &status), 0);
  frame(5, 1, kCached, status.st_ino);
  frame(6, 1, kCached, 99999999);
  frame(7, 1, kCached, status.st_ino);
  const std::string text = collected().text;
  EXPECT_THAT(text, HasSubstr("O: 1, cgroup, " + std::to_string(status.st_ino) + ", online, /a\n"));
  EXPECT_THAT(text, HasSubstr("O: 2, cgroup, 99999999, online, [deleted]\n"));
  EXPECT_THAT(text, HasSubstr("R: 00000005, 1, file, 0, 1, 00000028, 1, 00000000\n"
                              "R: 00000006, 1, file, 0, 2, 00000028, 1, 00000000\n"
                              "R: 00000007, 1, file, 0, 1, 00000028, 1, 00000000\n"));
}

// Before Linux 6.12 the tails of a large page read 0.
TEST_F(RamWalkTest, GivesTailsTheControlGroupOfTheirHead) {
  const std::uint64_t anon = kCached | PM_PAGE_ANON | PM_PAGE_SWAPBACKED | PM_PAGE_THP;
  frame(4, 1, anon | PM_PAGE_COMPOUND_HEAD, 5);
  frame(5, 1, anon | PM_PAGE_COMPOUND_TAIL, 0);
  frame(6, 1, anon | PM_PAGE_COMPOUND_TAIL, 0);
  EXPECT_THAT(collected().text, HasSubstr("R: 00000004, 3, anon, 0, 1, "));
}

TEST_F(RamWalkTest, WritesFramesBeyondTheKernelsFilesAsUnknown) {
  tree_.file("iomem", "00001000-000fffff : System RAM\n");
  EXPECT_THAT(collected().text,
              HasSubstr("R: 0000000A, 246, unknown, 0, 0, 00000000, 0, 00000000\n"));
}

TEST_F(RamWalkTest, TakesTheZonesAsMapIfAddressesAreHidden) {
  tree_.file("iomem", "00000000-00000000 : System RAM\n");
  EXPECT_THAT(collected().text, HasSubstr("R: 00000001, 9, unmarked,"));
}

TEST_F(RamWalkTest, LooksForOfflineBlocksIfZonesHaveLessThanTheMap) {
  tree_.file("iomem", "00001000-0000bfff : System RAM\n");
  tree_.file("sys/devices/system/memory/block_size_bytes", "2000\n");
  tree_.file("sys/devices/system/memory/memory5/state", "offline\n");
  EXPECT_THAT(collected().text,
              HasSubstr("R: 0000000A, 2, offline, 0, 0, 00000000, 0, 00000000\n"));
}

}  // namespace
}  // namespace physmem::collect
