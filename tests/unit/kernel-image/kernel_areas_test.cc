// SPDX-License-Identifier: MIT
// Frames that the kernel uses by virtual addresses of its own: whose they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "tests/unit/kernel-image/fake_ram.h"

namespace physmem::crash {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kFork = 0xFFFFFFFF81100000, kStack = 4 * kPage;

/// Frame, class, kind of owner, owner.
using Mark = std::tuple<std::uint64_t, int, int, std::uint64_t>;

class KernelAreas : public testing::TestWithParam<Era> {
 protected:
  KernelAreas() : kernel(GetParam()), ram(kernel) { kernel.has_mapped_addresses = true; }

  std::uint64_t add(const FakeVmalloc& area) { return ram.add(area); }

  std::vector<Mark> marks(bool of_tables = false) {
    ram.add_task(1, 0);
    const Opened image(kernel);
    pm_tasks tasks{};
    EXPECT_EQ(pm_find_tasks(image.get(), &tasks), 0);
    pm_marks found{};
    EXPECT_EQ(of_tables ? pm_mark_tables(image.get(), &tasks, &found)
                        : pm_mark_kernel_areas(image.get(), &tasks, &found),
              0);
    pm_marks_sort(&found);
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < found.n; ++i)
      marks.emplace_back(found.at[i].pfn, found.at[i].class_, found.at[i].owner, found.at[i].of);
    pm_marks_free(&found);
    pm_free_tasks(&tasks);
    return marks;
  }

  FakeKernel kernel;
  FakeRam ram;
};

TEST_P(KernelAreas, FindsWhatAFunctionAllocated) {
  add({.pages = 2, .first_pfn = 0x200});
  EXPECT_THAT(marks(), ElementsAre(Mark(0x200, PM_RAM_VMALLOC, PM_MARK_CODE, kLoad),
                                   Mark(0x201, PM_RAM_VMALLOC, PM_MARK_CODE, kLoad)));
}

TEST_P(KernelAreas, LeavesOutDevicesAndMemoryOfOthers) {
  add({.first_pfn = 0x200, .flags = kIoremap});
  const std::uint64_t stale = add({.start = kMapped + 0x10000, .first_pfn = 0x201});
  kernel.put(kernel.get(stale, "vmap_area.vm"), "vm_struct.addr", kMapped);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(KernelAreas, FindsPerCpuChunksByTheirLackOfAnArray) {
  add({.first_pfn = 0x200, .has_pages = false});
  EXPECT_THAT(marks(), ElementsAre(Mark(0x200, PM_RAM_PERCPU, PM_MARK_CODE, kLoad)));
}

TEST_P(KernelAreas, FindsStacksOfTasksAndThoseKeptForNewOnes) {
  add({.pages = 4, .first_pfn = 0x200, .caller = kFork});
  add({.start = kMapped + 2 * kStack, .pages = 4, .first_pfn = 0x300, .caller = kFork});
  add({.start = kMapped + 4 * kStack, .pages = 1, .first_pfn = 0x400});
  const std::uint64_t task = ram.add_task(7, kMapped);
  const std::vector<Mark> found = marks();
  ASSERT_EQ(found.size(), 9u);
  EXPECT_EQ(found[0], Mark(0x200, PM_RAM_KERNEL_STACK, PM_MARK_TASK, task));
  EXPECT_EQ(found[3], Mark(0x203, PM_RAM_KERNEL_STACK, PM_MARK_TASK, task));
  EXPECT_EQ(found[4], Mark(0x300, PM_RAM_KERNEL_STACK, PM_MARK_CODE, kFork));
  EXPECT_EQ(found[8], Mark(0x400, PM_RAM_VMALLOC, PM_MARK_CODE, kLoad));
}

// The second page of the area is no part of the module.
TEST_P(KernelAreas, FindsPartsOfModulesInAreas) {
  add({.pages = 2, .first_pfn = 0x200});
  const std::uint64_t module = ram.add_module(kMapped);
  EXPECT_THAT(marks(), ElementsAre(Mark(0x200, PM_RAM_MODULE, PM_MARK_MODULE, module),
                                   Mark(0x200, PM_RAM_VMALLOC, PM_MARK_CODE, kLoad),
                                   Mark(0x201, PM_RAM_VMALLOC, PM_MARK_CODE, kLoad)));
}

TEST_P(KernelAreas, NamesTheModuleOfAFunctionWithoutName) {
  add({.first_pfn = 0x200, .caller = kMapped + 0x40000 + 8});
  const std::uint64_t module = ram.add_module(kMapped + 0x40000);
  EXPECT_THAT(marks(), ElementsAre(Mark(0x200, PM_RAM_VMALLOC, PM_MARK_MODULE, module)));
}

TEST_P(KernelAreas, EndsAtAListThatLeadsIntoItself) {
  const std::uint64_t node = add({.first_pfn = 0x200});
  kernel.put(kernel.at(node, "vmap_area.list"), "list_head.next",
             kernel.at(node, "vmap_area.list"));
  EXPECT_EQ(marks().size(), 1u);
}

TEST_P(KernelAreas, ReadsOnlyWhatLiesInAnArea) {
  const std::uint64_t init_mm = kernel.symbols.at("init_mm");
  add({.start = kMapped + 0x200000 - kPage, .first_pfn = 0x200});
  kernel.set_entry(init_mm, kMapped + 0x200000 + kPage, present(0x300));
  EXPECT_THAT(marks(), ElementsAre(Mark(0x200, PM_RAM_VMALLOC, PM_MARK_CODE, kLoad)));
}

// A huge page whose first half belongs to the area.
TEST_P(KernelAreas, TakesThePartOfAHugePageThatLiesInAnArea) {
  const std::uint64_t start = kMapped + 0x40000000;
  add({.start = start, .pages = 255, .first_pfn = 0x200});
  kernel.set_entry(kernel.symbols.at("init_mm"), start, huge(0x1000), 1);
  const std::vector<Mark> found = marks();
  ASSERT_EQ(found.size(), 256u);
  EXPECT_EQ(std::get<0>(found.front()), 0x1000u);
  EXPECT_EQ(std::get<0>(found.back()), 0x10FFu);
}

TEST_P(KernelAreas, FindsPageTablesOfTheKernelAndUpperOnesOfProcesses) {
  const std::uint64_t init_mm = kernel.symbols.at("init_mm");
  kernel.set_entry(init_mm, kMapped, present(0x200));
  const std::uint64_t mm = kernel.add_process({.pid = 9}).mm;
  kernel.map_page(mm, 0x400000, 0x300);
  const std::uint64_t top = kernel.get(mm, "mm_struct.pgd");
  kernel.set_entry(init_mm, top, present(FakeMemory::physical(top) / kPage));  // the direct map
  const auto frame = [&](std::uint64_t of, std::uint64_t va, unsigned level) {
    return Mark(FakeMemory::physical(kernel.table(of, va, level)) / kPage, PM_RAM_PGTABLE,
                PM_MARK_NOBODY, 0);
  };
  const std::vector<Mark> found = marks(true);
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_THAT(found, Contains(frame(init_mm, kMapped, level)));
  // The two lowest levels of a process have a type.
  EXPECT_THAT(found, Contains(frame(mm, 0x400000, 3)));
  EXPECT_THAT(found, Contains(frame(mm, 0x400000, 2)));
  EXPECT_THAT(found, testing::Not(Contains(frame(mm, 0x400000, 1))));
  EXPECT_THAT(found, testing::Not(Contains(Mark(0x200, PM_RAM_PGTABLE, 0, 0))));
}

TEST_P(KernelAreas, ReadsATableThatContainsItselfOnce) {
  const std::uint64_t init_mm = kernel.symbols.at("init_mm");
  const std::uint64_t table = kernel.table(init_mm, kMapped, 2);
  for (std::uint64_t i = 0; i < 512; ++i)
    kernel.memory.put(table + 8 * i, 8, present(FakeMemory::physical(table) / kPage));
  kernel.memory.reset_reads();
  EXPECT_LE(marks(true).size(), 16u);
  EXPECT_LT(kernel.memory.reads(), 5000u);
}

INSTANTIATE_TEST_SUITE_P(Eras, KernelAreas, testing::Values(Era::k5_10, Era::k6_1, Era::k6_12));

TEST(Marks, AreFoundInTheOrderOfFrames) {
  pm_marks marks{};
  for (const std::uint64_t pfn : {9, 3, 5, 3})
    EXPECT_TRUE(pm_marks_add(
        &marks,
        std::array<pm_mark, 1>{
            pm_mark{.pfn = pfn, .of = 0, .class_ = PM_RAM_VMALLOC, .owner = 0, .is_tail = false}}
            .data()));
  pm_marks_sort(&marks);
  EXPECT_EQ(pm_marks_find(&marks, 2), nullptr);
  EXPECT_NE(pm_marks_find(&marks, 3), nullptr);
  EXPECT_EQ(pm_marks_find(&marks, 4), nullptr);
  EXPECT_NE(pm_marks_find(&marks, 9), nullptr);
  EXPECT_EQ(pm_marks_find(&marks, 10), nullptr);
  pm_marks_free(&marks);
}

}  // namespace
}  // namespace physmem::crash
