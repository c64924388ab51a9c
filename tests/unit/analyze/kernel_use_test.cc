// SPDX-License-Identifier: MIT
// The kernel's own memory: uses that add up to the ledger, and their owners.
#include "analyzer/analyze/ram/kernel_use.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

// Every class of frames, and totals that explain some of the unmarked ones.
constexpr std::string_view kEveryUse =
    R"(Z: 0, Normal, 00000000, 4096, 4096, 4000, 100, 4, 1, 2, 3
G: ram.before.total=4010, ram.before.free=90, ram.before.free_in_zones=80, ram.before.vmalloc=500
G: ram.before.slab=330, ram.before.kernel_stack=24, ram.before.percpu=11, ram.before.free_percpu=9
O: 1, task, 371, 8639981
O: 2, task, 52, 31
O: 3, slab, 192, 21, dentry
O: 4, code, load_module+0x9d5
O: 5, code, [ext4]
O: 6, code, ftrace_pages
O: 7, file, ext4, FE:01, 8421, 1228800, 1, -, /a
R: 00000000, 10, hole, 0, 0, 0, 0, 0
R: 0000000A, 20, reserved, 0, 0, 0, 0, 0
R: 0000001E, 30, kernel_code, 0, 0, 0, 0, 0
R: 0000003C, 40, kernel_data, 0, 0, 0, 0, 0
R: 00000064, 50, crash_kernel, 0, 0, 0, 0, 0
R: 00000096, 60, memmap, 0, 0, 0, 0, 0
R: 000000D2, 70, free, 0, 0, 0, 0, 0
R: 00000118, 300, slab, 3, 0, 0, 0, 0
R: 00000244, 17, pgtable, 0, 0, 0, 0, 0
R: 00000255, 4, kernel_stack, 1, 0, 0, 0, 0
R: 00000259, 8, kernel_stack, 2, 0, 0, 0, 0
R: 00000261, 110, vmalloc, 4, 0, 0, 0, 0
R: 000002CF, 120, module, 5, 0, 0, 0, 0
R: 00000347, 5, percpu, 0, 0, 0, 0, 0
R: 0000034C, 140, kernel, 6, 0, 0, 0, 0
R: 000003D8, 15, page_pool, 0, 0, 0, 0, 0
R: 000003E7, 160, zsmalloc, 0, 0, 0, 0, 0
R: 00000487, 170, file, 7, 0, 0, 0, 0
R: 00000531, 180, anon, 0, 0, 0, 0, 0
R: 000005E5, 400, unmarked, 0, 0, 0, 0, 0
R: 00000775, 3, unknown, 0, 0, 0, 0, 0
R: 00000778, 1, poison, 0, 0, 0, 0, 0
R: 00000779, 2, unmarked, 0, 0, 0, 0, 0
G: ram.runs=23, ram.frames=1915, ram.owners=7
G: ram.after.total=4010, ram.after.free=90, ram.after.free_in_zones=80, ram.after.vmalloc=500
G: ram.after.slab=330, ram.after.kernel_stack=24, ram.after.percpu=11, ram.after.free_percpu=9
G: vmalloc.kernel_stack=24, vmalloc.pcpu_create_chunk+0x167/0x1b0=300, vmalloc.none=0
)";

KernelUse kernel_of(std::string_view records) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  std::string text = with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=proc,"), kEnd,
                          std::string(records) + std::string(kEnd));
  text = with(text, "G: at.uptime_ns",
              "G: process.371.page_tables_kB=68, process.9.page_tables_kB=72, "
              "process.371.before.rss_kB=1\nG: at.uptime_ns");
  KernelUse kernel;
  fold(text, {&kernel});
  return kernel;
}

std::uint64_t pages_of(const KernelUse& kernel, KernelKind kind) {
  for (const KernelRow& row : kernel.rows())
    if (row.kind == kind) return row.pages();
  return 0;
}

std::vector<std::string> names(const std::vector<KernelOwner>& owners) {
  std::vector<std::string> all;
  for (const auto& [owner, pages] : owners) all.push_back(fmt::format("{} {}", owner.name, pages));
  return all;
}

TEST(KernelUse, AddsUpToTheLedger) {
  const KernelUse kernel = kernel_of(kEveryUse);
  const Ledger& ledger = kernel.ledger();
  std::uint64_t sum = 0;
  for (const KernelRow& row : kernel.rows()) sum += row.pages();
  for (const FrameClass use :
       {PM_RAM_FREE, PM_RAM_FREE_PERCPU, PM_RAM_BALLOON, PM_RAM_FILE, PM_RAM_BLOCK, PM_RAM_SHMEM,
        PM_RAM_ANON, PM_RAM_HUGETLB, PM_RAM_ZERO, PM_RAM_POISON})
    sum += ledger.of(use);
  std::uint64_t free = 0;
  for (const ExplainedPages& part : ledger.explained_unmarked())
    if (part.word.starts_with("free")) free += part.pages;
  EXPECT_EQ(free, 10u + 9);
  EXPECT_EQ(sum + free, ledger.frames());
}

TEST(KernelUse, HasFramesAndWhatTotalsExplain) {
  const KernelUse kernel = kernel_of(kEveryUse);
  EXPECT_EQ(pages_of(kernel, KernelKind::kSlab), 300u);
  EXPECT_EQ(pages_of(kernel, KernelKind::kLargeKmalloc), 30u);
  EXPECT_EQ(pages_of(kernel, KernelKind::kStacks), 24u);  // 12 by frames
  EXPECT_EQ(pages_of(kernel, KernelKind::kImage), 70u);
  EXPECT_EQ(pages_of(kernel, KernelKind::kVmalloc), 110u + 246);
  EXPECT_EQ(pages_of(kernel, KernelKind::kUnknown), 405u - 30 - 12 - 246 - 19);
  EXPECT_EQ(kernel.rows().back().kind, KernelKind::kUnknown);
  EXPECT_EQ(kernel.rows().front().kind, KernelKind::kVmalloc);
  EXPECT_EQ(kernel.rows().front().explained, 246u);
}

TEST(KernelUse, HasNoMoreOwnedThanFramedPages) {
  const KernelUse kernel = kernel_of(with(kEveryUse, "400, unmarked, 0", "400, unmarked, 6"));
  for (const KernelRow& row : kernel.rows()) EXPECT_LE(row.owned, row.framed);
  EXPECT_EQ(kernel.rows().back().owned, 98u);
}

TEST(KernelUse, HasOwnersByUse) {
  const KernelUse kernel = kernel_of(kEveryUse);
  EXPECT_THAT(names(kernel.owners(KernelKind::kStacks)), ElementsAre("kswapd0 8", "cat 4"));
  EXPECT_THAT(names(kernel.owners(KernelKind::kModules)), ElementsAre("[ext4] 120"));
  EXPECT_THAT(names(kernel.vmalloc()), ElementsAre("load_module+0x9d5 110"));
  EXPECT_THAT(names(kernel.owners(KernelKind::kOther)), ElementsAre("ftrace_pages 140"));
}

TEST(KernelUse, HasFunctionsOfVmallocByTheKernelsCountIfFramesHaveNone) {
  const KernelUse kernel = kernel_of(with(kEveryUse, "vmalloc, 4, 0", "vmalloc, 0, 0"));
  EXPECT_THAT(names(kernel.vmalloc()), ElementsAre("pcpu_create_chunk+0x167/0x1b0 300"));
}

TEST(KernelUse, HasPageTablesByProcess) {
  const std::vector<PageTableUse> processes = kernel_of(kEveryUse).page_tables();
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[0].pid, 9u);  // it has no T: line
  EXPECT_EQ(processes[1].comm, "cat");
  EXPECT_EQ(processes[1].kib, 68u);
}

TEST(KernelUse, JoinsRunsOfUnknownFrames) {
  std::vector<std::string> runs;
  for (const ResidueRuns& of : kernel_of(kEveryUse).residue_runs())
    runs.push_back(fmt::format("{}: {} {}", of.pages, of.runs, of.frames));
  EXPECT_THAT(runs, ElementsAre("2: 1 2", "256: 1 403"));
}

}  // namespace
}  // namespace physmem
