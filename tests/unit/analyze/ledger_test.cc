// SPDX-License-Identifier: MIT
// The ledger of RAM and its comparison with the kernel's totals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "analyzer/analyze/verify/ram_witness.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using Kind = RamVerdict::Kind;
using testing::ElementsAre;

// 512 frames: 2 holes, 16 of the kernel, 494 others. The totals agree with them.
constexpr std::string_view kRecords =
    R"(Z: 0, Normal, 00000000, 512, 510, 494, 100, 4, 1, 2, 3
G: ram.before.total=494, ram.before.free=100, ram.before.free_in_zones=100, ram.before.free_percpu=4
G: ram.before.cached=64, ram.before.buffers=0, ram.before.swap_cached=6, ram.before.shmem=10
G: ram.before.anon=150, ram.before.slab=80, ram.before.page_tables=20, ram.before.kernel_stack=12
G: ram.before.vmalloc=40, ram.before.percpu=8, ram.before.hugetlb=0, ram.before.zsmalloc=0
O: 1, file, ext4, FE:01, 8421, 1228800, 1, -, /usr/lib/libssl.so.3
O: 2, cgroup, 93, online, /a
R: 00000000, 2, hole, 0, 0, 00000000, 0, 00000000
R: 00000002, 16, kernel_code, 0, 0, 00000000, 0, 00000000
R: 00000012, 100, free, 0, 0, 00000400, 0, 0000003F
R: 00000076, 40, file, 1, 2, 00000028, 1, 00000000
R: 0000009E, 14, file, 1, 0, 00000038, 0, 00000028
R: 000000AC, 10, shmem, 0, 2, 00004028, 1, 00000000
R: 000000B6, 150, anon, 0, 2, 00005028, 1, 00000000
R: 0000014C, 6, anon, 0, 0, 00007028, 0, 00000000
R: 00000152, 75, slab, 0, 0, 00000080, 0, 00000000
R: 0000019D, 20, pgtable, 0, 0, 04000000, 0, 00000000
R: 000001B1, 79, unmarked, 0, 0, 00000000, 0, 00000000
G: ram.runs=11, ram.frames=512, ram.owners=2
G: ram.after.total=494, ram.after.free=100, ram.after.free_in_zones=100, ram.after.free_percpu=4
G: ram.after.cached=64, ram.after.buffers=0, ram.after.swap_cached=6, ram.after.shmem=10
G: ram.after.anon=150, ram.after.slab=80, ram.after.page_tables=20, ram.after.kernel_stack=12
G: ram.after.vmalloc=40, ram.after.percpu=8, ram.after.hugetlb=0, ram.after.zsmalloc=0
G: slab.dentry=50, slab.inode=25, vmalloc.kernel_stack=12, vmalloc.module=28
)";

/// By the module, which reads vmalloc on x86-64 only.
std::string snapshot_with(std::string_view records, std::string_view arch = "aarch64") {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  const std::string text = with(kSample, "arch=x86_64", "arch=" + std::string(arch));
  return with(with(text, "pages=all,", "pages=all, ram=all, ram_by=kmod,"), kEnd,
              std::string(records) + std::string(kEnd));
}

Ledger ledger_of(const std::string& text) {
  Ledger ledger;
  fold(text, {&ledger});
  return ledger;
}

std::vector<std::string> explained(const Ledger& ledger) {
  std::vector<std::string> all;
  for (const ExplainedPages& part : ledger.explained())
    all.push_back(std::string(part.word) + " " + std::to_string(part.pages));
  return all;
}

/// The claims of one kind of verdict.
std::vector<std::string> claims(const std::string& text, Kind kind) {
  std::vector<std::string> all;
  for (const RamVerdict& verdict : ram_verdicts(ledger_of(text)))
    if (verdict.kind == kind) all.emplace_back(verdict.claim);
  return all;
}

TEST(Ledger, NamesTasksByTheirLines) {
  const Ledger ledger =
      ledger_of(snapshot_with("O: 1, task, 371, 8639981\nO: 2, task, 999, 5\nR: 00000000, 4, "
                              "kernel_stack, 1, 0, 0, 0, 0\n"));
  EXPECT_EQ(ledger.find_owner(1)->name, "cat");
  EXPECT_EQ(ledger.find_owner(2)->name, "");
}

TEST(Ledger, AddsUpClassesAndOwners) {
  const Ledger ledger = ledger_of(snapshot_with(kRecords));
  EXPECT_TRUE(ledger.is_known());
  EXPECT_EQ(ledger.frames(), 510u);
  EXPECT_EQ(ledger.of(PM_RAM_FILE), 54u);
  EXPECT_EQ(ledger.of(PM_RAM_HOLE), 2u);
  EXPECT_EQ(ledger.owned(PM_RAM_FILE), 54u);
  EXPECT_EQ(ledger.mapped_anon(), 150u);
  EXPECT_EQ(ledger.swap_cached(PM_RAM_ANON), 6u);
  EXPECT_EQ(ledger.covered(), 512u);
  EXPECT_EQ(ledger.spanned(), 512u);
  ASSERT_EQ(ledger.owners().size(), 2u);
  EXPECT_EQ(ledger.owners()[0].pages, 54u);
  EXPECT_EQ(ledger.owners()[0].mapped, 40u);
  EXPECT_EQ(ledger.owners()[0].dirty, 14u);
  EXPECT_EQ(ledger.owners()[1].pages, 200u);
}

TEST(Ledger, ExplainsUnmarkedPagesByTotals) {
  const Ledger ledger = ledger_of(snapshot_with(kRecords));
  EXPECT_THAT(explained(ledger), ElementsAre("free_percpu 4", "large_kmalloc 5", "kernel_stack 12",
                                             "vmalloc 28", "percpu 8"));
  EXPECT_EQ(ledger.residue(), 79u - 57u);
}

TEST(Ledger, CountsStacksApartFromVmallocIfTheyAreNotInIt) {
  const Ledger ledger = ledger_of(snapshot_with(with(kRecords, "vmalloc.kernel_stack=12, ", "")));
  EXPECT_THAT(explained(ledger), testing::IsSupersetOf({"kernel_stack 12", "vmalloc 40"}));
}

TEST(Ledger, ExplainsNothingThatFramesAccountFor) {
  const Ledger ledger = ledger_of(
      snapshot_with(with(with(kRecords, "79, unmarked", "79, vmalloc"), "kernel_stack=12, ", "")));
  EXPECT_EQ(ledger.residue(), 0u);
}

// Per-CPU lists change while frames are read.
TEST(Ledger, ExplainsNothingByATotalWhoseFramesAreMarked) {
  std::string records(kRecords);
  records = with(records, "before.free_percpu=4", "before.free_percpu=3000");
  records = with(records, "79, unmarked", "79, free_percpu");
  EXPECT_EQ(ledger_of(snapshot_with(records)).of(PM_RAM_FREE_PERCPU), 79u);
  EXPECT_THAT(explained(ledger_of(snapshot_with(records))),
              testing::Not(testing::Contains(testing::HasSubstr("free_percpu"))));
}

// Lists may be empty before and after, and full in between.
TEST(Ledger, ExplainsByTheMeanOfReadingsInBetween) {
  const std::string records =
      with(kRecords, "ram.after.free_percpu=4", "ram.after.free_percpu=4, ram.mean.free_percpu=9");
  EXPECT_THAT(explained(ledger_of(snapshot_with(records))), testing::Contains("free_percpu 9"));
}

// The rest of the total is reserved memory.
TEST(Ledger, ExplainsNothingByPerCpuDataIfTheWayMarksIt) {
  const auto has_percpu = testing::Contains(testing::HasSubstr("percpu"));
  const std::string text = snapshot_with(kRecords);
  EXPECT_THAT(explained(ledger_of(text)), has_percpu);
  EXPECT_THAT(explained(ledger_of(with(text, "ram_by=kmod", "ram_by=crash"))),
              testing::Not(has_percpu));
}

TEST(Ledger, ExplainsMemoryThatNoZoneHasYet) {
  std::string records(kRecords);
  records = with(records, "ram.before.free=100", "ram.before.free=130");
  records = with(records, "ram.after.free=100", "ram.after.free=120");
  EXPECT_THAT(explained(ledger_of(snapshot_with(records))), testing::Contains("free_no_zone 25"));
}

TEST(Ledger, ExplainsBootMemoryWithoutMark) {
  const std::string records = with(kRecords, "512, 510, 494", "512, 515, 494");
  EXPECT_THAT(explained(ledger_of(snapshot_with(records))), testing::Contains("boot 5"));
}

TEST(Ledger, ExplainsPagesOfZswapThatAreNotOfZsmalloc) {
  std::string records(kRecords);
  for (const char* when : {"before", "after"}) {
    const std::string zsmalloc = std::string("ram.") + when + ".zsmalloc=0";
    records = with(records, zsmalloc, zsmalloc + ", ram." + when + ".zswap=7");
  }
  EXPECT_THAT(explained(ledger_of(snapshot_with(records))), testing::Contains("zswap 7"));
  for (const char* when : {"before", "after"})
    records = with(records, std::string(when) + ".zsmalloc=0", std::string(when) + ".zsmalloc=9");
  EXPECT_THAT(explained(ledger_of(snapshot_with(records))),
              testing::Not(testing::Contains(testing::StartsWith("zswap"))));
}

TEST(Ledger, FindsOwnersByIdIfIdsHaveGaps) {
  std::string records(kRecords);
  records = with(records, "O: 2, cgroup", "O: 9000000000, cgroup");
  std::string text = snapshot_with(records);
  for (std::size_t at = text.find(", 2, 0000"); at != std::string::npos;
       at = text.find(", 2, 0000", at))
    text.replace(at, 9, ", 9000000000, 0000");
  EXPECT_EQ(ledger_of(text).owners()[1].pages, 200u);
}

TEST(Ledger, IsUnknownWithoutFrames) {
  const Ledger ledger = ledger_of(std::string(kSample));
  EXPECT_FALSE(ledger.is_known());
  EXPECT_EQ(ledger.frames(), 0u);
  EXPECT_TRUE(ram_verdicts(ledger).empty());
}

TEST(RamWitness, AgreesWithTotalsThatStandStill) {
  EXPECT_THAT(
      claims(snapshot_with(kRecords), Kind::kAgrees),
      ElementsAre("frames with one class", "managed frames", "free", "page cache", "shared memory",
                  "anonymous, mapped", "slab caches", "page tables", "hugetlb"));
  EXPECT_THAT(claims(snapshot_with(kRecords), Kind::kUnknowable),
              ElementsAre("free, on CPU lists", "slab", "kernel stacks",
                          "vmalloc, with stacks and modules", "zsmalloc"));
  EXPECT_THAT(claims(snapshot_with(kRecords), Kind::kDiffers), ElementsAre());
}

TEST(RamWitness, SaysMovedIfTheLedgerLiesBetween) {
  std::string records(kRecords);
  records = with(records, "ram.before.cached=64", "ram.before.cached=60");
  records = with(records, "ram.after.cached=64", "ram.after.cached=70");
  EXPECT_THAT(claims(snapshot_with(records), Kind::kMoved), ElementsAre("page cache"));
  records = with(records, "ram.before.cached=60", "ram.before.cached=103");
  records = with(records, "ram.after.cached=70", "ram.after.cached=110");
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre("page cache"));
}

TEST(RamWitness, AllowsForPagesThatCameAndWent) {
  std::string records(kRecords);
  records = with(records, "ram.before.cached=64", "ram.before.cached=200");
  records = with(records, "ram.after.cached=64", "ram.after.cached=150");
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre("page cache"));
  const auto with_churn = [&](const char* allocated) {
    return claims(
        snapshot_with("G: ram.before.allocated=10, ram.before.freed=10, ram.after.freed=900, "
                      "ram.after.allocated=" +
                      std::string(allocated) + "\n" + records),
        Kind::kMoved);
  };
  EXPECT_THAT(with_churn("900"), ElementsAre("page cache"));
  EXPECT_THAT(with_churn("30"), ElementsAre());
}

/// The cache is 136 pages too little for a total that is the same before and after, with these
/// counters. 900 pages came and went.
std::vector<std::string> of_still_cache(const std::string& counters, Kind kind) {
  std::string records(kRecords);
  records = with(records, "ram.before.cached=64", "ram.before.cached=200");
  records = with(records, "ram.after.cached=64", "ram.after.cached=200");
  return claims(snapshot_with("G: ram.before.allocated=0, ram.before.freed=0, "
                              "ram.after.freed=900, ram.after.allocated=900" +
                              counters + "\n" + records),
                kind);
}

// Readings in between show that it was not higher by much.
TEST(RamWitness, DiffersFromATotalThatStoodStill) {
  EXPECT_THAT(of_still_cache(", ram.mean.cached=200", Kind::kDiffers), ElementsAre("page cache"));
}

// The cache is 136 pages too little, 32 of which CPUs may keep.
TEST(RamWitness, AllowsForWhatCameAndWentBetweenTwoReadings) {
  EXPECT_THAT(of_still_cache(", ram.mean.cached=200, ram.between_readings=104", Kind::kMoved),
              ElementsAre("page cache"));
  EXPECT_THAT(of_still_cache(", ram.mean.cached=200, ram.between_readings=103", Kind::kDiffers),
              ElementsAre("page cache"));
}

TEST(RamWitness, AllowsForATotalThatMovedInBetween) {
  EXPECT_THAT(of_still_cache(", ram.mean.cached=150", Kind::kMoved), ElementsAre("page cache"));
  // For a moment: the mean is rounded down.
  EXPECT_THAT(of_still_cache(", ram.mean.cached=200, ram.low.cached=200, ram.high.cached=240",
                             Kind::kMoved),
              ElementsAre("page cache"));
}

// Snapshots of older modules have no totals in between.
TEST(RamWitness, AllowsForPagesThatCameAndWentUnseen) {
  EXPECT_THAT(of_still_cache("", Kind::kMoved), ElementsAre("page cache"));
}

// A page that is moved while frames are read is found in both frames, or in neither.
TEST(RamWitness, AllowsForPagesThatTheKernelMoved) {
  const std::string still = ", ram.mean.cached=200, ram.before.migrated=1000, ";
  EXPECT_THAT(of_still_cache(still + "ram.after.migrated=1136", Kind::kMoved),
              ElementsAre("page cache"));
  EXPECT_THAT(of_still_cache(still + "ram.after.migrated=1100", Kind::kDiffers),
              ElementsAre("page cache"));
}

std::string with_both(std::string records, const std::string& name, int from, int to) {
  for (const std::string when : {"ram.before.", "ram.after."})
    records = with(records, when + name + "=" + std::to_string(from),
                   when + name + "=" + std::to_string(to));
  return records;
}

// A page that goes from a per-CPU list to its zone after that zone was read is in neither.
TEST(RamWitness, AllowsForPagesBetweenZonesAndListsOfProcessors) {
  const std::string records = with_both(std::string(kRecords), "free_in_zones", 100, 485);
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre("free"));
  const std::string drained =
      with(records, "ram.before.free_percpu=4", "ram.before.free_percpu=3457");
  EXPECT_THAT(claims(snapshot_with(drained), Kind::kDiffers), ElementsAre());
  EXPECT_THAT(claims(snapshot_with(drained), Kind::kMoved), ElementsAre("free"));
}

// 48 CPUs, 2 MB of memory: 12 pages each.
TEST(RamWitness, KnowsTheBatchesOfAllProcessors) {
  std::string records(kRecords);
  records = with(records, "ram.before.cached=64", "ram.before.cached=640");
  records = with(records, "ram.after.cached=64", "ram.after.cached=640");
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre("page cache"));
  EXPECT_THAT(claims(snapshot_with("G: ram.processors=48\n" + records), Kind::kDiffers),
              ElementsAre());
}

TEST(RamWitness, NamesEachFault) {
  const auto after = [](std::string_view from, std::string_view to) {
    return claims(snapshot_with(with(kRecords, from, to)), Kind::kDiffers);
  };
  EXPECT_THAT(after("10, shmem", "10, hugetlb"), ElementsAre("hugetlb"));
  EXPECT_THAT(after("100, free, 0, 0, 00000400", "100, unmarked, 0, 0, 00000000"),
              ElementsAre("free"));
  EXPECT_THAT(after("75, slab", "75, anon"), ElementsAre("slab caches"));
  EXPECT_THAT(after("150, anon, 0, 2, 00005028, 1", "150, anon, 0, 2, 00005028, 0"),
              ElementsAre("anonymous, mapped"));
  // A counter that is off by 64 pages.
  std::string both(kRecords);
  both = with(both, "ram.before.page_tables=20", "ram.before.page_tables=84");
  both = with(both, "ram.after.page_tables=20", "ram.after.page_tables=84");
  EXPECT_THAT(claims(snapshot_with(both), Kind::kDiffers), ElementsAre("page tables"));
  // A run that is missing.
  std::string cut(kRecords);
  cut = with(cut, "R: 0000019D, 20, pgtable, 0, 0, 04000000, 0, 00000000\n", "");
  cut = with(cut, "ram.runs=11, ram.frames=512", "ram.runs=10, ram.frames=492");
  EXPECT_THAT(claims(snapshot_with(cut), Kind::kDiffers),
              ElementsAre("frames with one class", "managed frames", "page tables"));
}

TEST(RamWitness, ComparesLargeKmallocWhereFramesShowIt) {
  std::string records = with(with(kRecords, "R: 000001B1, 79, unmarked",
                                  "R: 000001B1, 5, large_kmalloc, 0, 0, 00000000, 0, 00000000\n"
                                  "R: 000001B6, 74, unmarked"),
                             "ram.runs=11", "ram.runs=12");
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre());
  EXPECT_THAT(claims(snapshot_with(records), Kind::kUnknowable),
              testing::Not(testing::Contains("slab")));
  // CPUs may not have added up 32 pages.
  records = with_both(records, "slab", 80, 112);
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre());
  records = with_both(records, "slab", 112, 113);
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre("slab"));
}

// After vm.stat_refresh nothing is kept by CPUs, and nothing came or went since.
TEST(RamWitness, NamesEachPageIfTotalsAreExact) {
  const std::string records = "G: ram.refreshed=1\n" + std::string(kRecords);
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre());
  for (const auto& [name, pages, claim] :
       {std::tuple{"cached", 64, "page cache"}, std::tuple{"shmem", 10, "shared memory"},
        std::tuple{"anon", 150, "anonymous, mapped"}}) {
    EXPECT_THAT(claims(snapshot_with(with_both(records, name, pages, pages - 1)), Kind::kDiffers),
                ElementsAre(claim));
    EXPECT_THAT(claims(snapshot_with(with_both(records, name, pages, pages + 1)), Kind::kDiffers),
                ElementsAre(claim));
  }
}

// What came and went may be what a CPU keeps now.
TEST(RamWitness, AllowsForWhatProcessorsKeepSinceTotalsWereExact) {
  const std::string records =
      "G: ram.refreshed=1, ram.before.allocated=0, ram.before.freed=0, ram.after.allocated=5, "
      "ram.after.freed=9\n" +
      std::string(kRecords);
  EXPECT_THAT(claims(snapshot_with(with_both(records, "shmem", 10, 15)), Kind::kDiffers),
              ElementsAre());
  EXPECT_THAT(claims(snapshot_with(with_both(records, "shmem", 10, 21)), Kind::kDiffers),
              ElementsAre("shared memory"));
}

// Nothing tells them from those that are reserved at boot.
TEST(RamWitness, CannotCompareManagedFramesIfDriversReservedSome) {
  std::string records = with(kRecords, "R: 000001B1, 79, unmarked",
                             "R: 000001B1, 40, reserved, 0, 0, 00000000, 0, 00000000\n"
                             "R: 000001D9, 39, unmarked");
  records = with(records, "ram.runs=11", "ram.runs=12");
  EXPECT_THAT(claims(snapshot_with(records), Kind::kDiffers), ElementsAre());
  EXPECT_THAT(claims(snapshot_with(records), Kind::kUnknowable),
              testing::Contains("managed frames"));
  // More frames than there are in MemTotal are another matter.
  records = with(kRecords, "16, kernel_code, 0", "16, anon, 0");
  EXPECT_THAT(claims(snapshot_with(with(records, "79, unmarked", "79, anon")), Kind::kDiffers),
              testing::Contains("managed frames"));
}

// 12 frames of stacks, 8 of vmalloc, and 20 of vmalloc with the class reserved; tolerance: 16.
TEST(RamWitness, FindsPagesOfVmallocWithTheClassReserved) {
  std::string records = "G: ram.refreshed=1\n" + std::string(kRecords);
  records = with(records, "R: 000001B1, 79, unmarked",
                 "R: 000001B1, 12, kernel_stack, 0, 0, 00000000, 0, 00000000\n"
                 "R: 000001BD, 8, vmalloc, 0, 0, 00000000, 0, 00000000\n"
                 "R: 000001C5, 20, reserved, 0, 0, 00000000, 0, 00000000\n"
                 "R: 000001D9, 39, unmarked");
  records = with(records, "ram.runs=11", "ram.runs=14");
  EXPECT_THAT(claims(snapshot_with(records, "x86_64"), Kind::kDiffers),
              ElementsAre("managed frames", "vmalloc, with stacks and modules"));
}

TEST(RamWitness, CannotCompareManagedFramesIfBootMemoryHasNoMark) {
  const std::string records =
      with(with(kRecords, "16, kernel_code", "6, kernel_code"), "R: 00000012",
           "R: 00000008, 10, "
           "unmarked, 0, 0, 00000000, 0, 00000000\nR: 00000012");
  EXPECT_THAT(claims(snapshot_with(with(records, "ram.runs=11", "ram.runs=12")), Kind::kUnknowable),
              testing::Contains("managed frames"));
}

// 12 frames of stacks, 28 of vmalloc, 4 free in per-CPU lists.
TEST(RamWitness, ComparesWhatTheKernelsListsMark) {
  std::string records = with(kRecords, "R: 000001B1, 79, unmarked",
                             "R: 000001B1, 12, kernel_stack, 0, 0, 00000000, 0, 00000000\n"
                             "R: 000001BD, 28, vmalloc, 0, 0, 00000000, 0, 00000000\n"
                             "R: 000001D9, 4, free_percpu, 0, 0, 00000000, 0, 00000000\n"
                             "R: 000001DD, 35, unmarked");
  records = with(records, "ram.runs=11", "ram.runs=14");
  EXPECT_THAT(claims(snapshot_with(records, "x86_64"), Kind::kUnknowable),
              ElementsAre("slab", "zsmalloc"));
  EXPECT_THAT(claims(snapshot_with(records, "x86_64"), Kind::kDiffers), ElementsAre());
  records = with(records, "ram.before.vmalloc=40", "ram.before.vmalloc=80");
  records = with(records, "ram.after.vmalloc=40", "ram.after.vmalloc=80");
  EXPECT_THAT(claims(snapshot_with(records, "x86_64"), Kind::kDiffers),
              testing::Contains("vmalloc, with stacks and modules"));
}

TEST(RamWitness, CountsFramesOfInterleavedZonesOnce) {
  const std::string records =
      "Z: 1, Normal, 00000100, 256, 256, 1, 0, 0, 0, 0, 0\n" + std::string(kRecords);
  EXPECT_THAT(claims(snapshot_with(records), Kind::kAgrees),
              testing::Contains("frames with one class"));
}

}  // namespace
}  // namespace physmem
