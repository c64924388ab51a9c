// SPDX-License-Identifier: MIT
// Frames whose owner is the stack that allocated them, as page_owner records it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/emitted_text.h"
#include "tests/unit/kernel-image/fake_stacks.h"

namespace physmem::crash {
namespace {

using testing::HasSubstr;

constexpr const char* kNoOwner = "R: 00000100, 32, unmarked, 0, 0, 00000000, 0, 00000000\n";

class PageStacks : public testing::TestWithParam<Era> {
 protected:
  PageStacks() : kernel(GetParam()), ram(kernel), stacks(with_sections()) {
    for (std::uint64_t pfn = 0x100; pfn < 0x120; ++pfn) {
      kernel.set_frame(pfn, {.mapcount = 0, .flags = {}, .mapping = 0});
      kernel.put(kernel.page(pfn), "page._refcount", 1);
      kernel.put(kernel.page(pfn), "page.memcg_data", 0);
    }
  }
  FakeStacks with_sections() {
    ram.add_sections();
    return {kernel, ram};
  }
  /// O: and R: lines of frames 0x100 to 0x11F.
  std::string written() {
    const Opened image(kernel);
    EXPECT_EQ(image.why(), "");
    pm_page_types types;
    EXPECT_TRUE(pm_page_types_find(&types, image.get()));
    const pm_frame_span span{0x100, 0x120, PM_RAM_RESERVED};
    return emitted_by([&](pm_out* out) {
      pm_ram_walk* walk = nullptr;
      ASSERT_EQ(pm_ram_walk_open(&walk, image.get(), &types), 0);
      EXPECT_EQ(pm_ram_walk_write(
                    walk, &span, 1, out, [](void*) { return 0; }, nullptr),
                0);
      pm_ram_walk_close(walk);
    });
  }
  /// A stack that all frames have; tests damage what leads to it.
  std::uint32_t record_everywhere() {
    const std::uint32_t handle = stacks.record({"post_alloc_hook", "driver", "probe"});
    stacks.allocate(0x100, 5, handle);
    return handle;
  }

  FakeKernel kernel;
  FakeRam ram;
  FakeStacks stacks;
};

TEST_P(PageStacks, OwnFramesThatNothingElseExplains) {
  const std::uint32_t first =
      stacks.record({"prep_new_page", "get_page_from_freelist", "__alloc_pages_noprof.constprop.0",
                     "driver_probe", "alloc_pages_of_driver", "init"});
  stacks.allocate(0x100, 2, first);
  stacks.allocate(0x108, 0, stacks.record({"post_alloc_hook", "fork"}));
  stacks.allocate(0x110, 1, first);
  const std::string text = written();
  EXPECT_THAT(text, HasSubstr("O: 1, code, driver_probe+0x12 <- alloc_pages_of_driver+0x12 <- "
                              "init+0x12\n"));
  EXPECT_THAT(text, HasSubstr("O: 2, code, fork+0x12\n"));
  EXPECT_THAT(text, HasSubstr("R: 00000100, 4, kernel, 1, 0, 00000000, 0, 00000000\n"));
  EXPECT_THAT(text, HasSubstr("R: 00000104, 4, unmarked, 0, 0, 00000000, 0, 00000000\n"
                              "R: 00000108, 1, kernel, 2, 0, 00000000, 0, 00000000\n"
                              "R: 00000109, 7, unmarked, 0, 0, 00000000, 0, 00000000\n"
                              "R: 00000110, 2, kernel, 1, 0, 00000000, 0, 00000000\n"));
  EXPECT_THAT(text, HasSubstr("ram.owners=2\n"));
}

TEST_P(PageStacks, DoNotReplaceOtherOwners) {
  ram.add({.pages = 2, .first_pfn = 0x102});
  kernel.has_mapped_addresses = true;
  ram.add_task(1, 0);
  kernel.set_frame(0x104, {.mapcount = 0, .flags = {"PG_lru"}, .mapping = kAnonMapping});
  record_everywhere();
  const std::string text = written();
  EXPECT_THAT(text, HasSubstr("R: 00000102, 2, vmalloc, "));
  EXPECT_THAT(text, HasSubstr("R: 00000104, 1, anon, 0, "));
}

TEST_P(PageStacks, TellLargeKmallocFromOtherMemory) {
  const char* function = GetParam() == Era::k5_10  ? "kmalloc_order"
                         : GetParam() == Era::k6_1 ? "__kmalloc_large_node"
                                                   : "___kmalloc_large_node";
  stacks.allocate(0x100, 2, stacks.record({"__alloc_pages", function, "load"}));
  const std::string text = written();
  EXPECT_THAT(text, HasSubstr(fmt::format("O: 1, code, {}+0x12 <- load+0x12\n", function)));
  EXPECT_THAT(text, HasSubstr("R: 00000100, 4, large_kmalloc, 1, "));
}

TEST_P(PageStacks, DoNotNameWhoTookAFrameBeforeTheyWereRecorded) {
  for (const std::uint64_t i : {0, 1, 2})
    stacks.allocate(0x100 + i, 0,
                    stacks.record({std::array{"register_early_stack", "register_dummy_stack",
                                              "register_failure_stack"}[i],
                                   "init_page_owner"}));
  EXPECT_THAT(written(), HasSubstr(kNoOwner));
}

TEST_P(PageStacks, HaveMemoryOfTheirOwn) {
  const std::uint64_t pool = stacks.record_of(stacks.record({"fork"})) / kPage * kPage;
  const std::uint64_t array = stacks.page_ext(0), bytes = stacks.record_bytes() << 15;
  const std::uint64_t last = (array + bytes - 1) / kPage * kPage;
  kernel.has_mapped_addresses = true;
  for (const auto& [at, pfn] : {std::pair{array, std::uint64_t{0x4000}},
                                {last, 0x4000 + (last - array) / kPage},
                                {pool, 0x8000}})
    kernel.set_entry(kernel.symbols.at("init_mm"), at, present(pfn));
  const Opened image(kernel);
  pm_page_stacks opened;
  ASSERT_TRUE(pm_page_stacks_open(&opened, image.get()));
  pm_marks marks{};
  EXPECT_EQ(pm_mark_page_stacks(&opened, &marks), 0);
  pm_marks_sort(&marks);
  ASSERT_EQ(marks.n, bytes / kPage + 4);
  EXPECT_EQ(marks.at[0].pfn, 0x4000u);
  EXPECT_EQ(marks.at[bytes / kPage].pfn, 0x8000u);
  EXPECT_STREQ(reinterpret_cast<const char*>(marks.at[0].of), "page_ext");
  EXPECT_STREQ(reinterpret_cast<const char*>(marks.at[bytes / kPage].of), "stack_pools");
  pm_marks_free(&marks);
}

TEST_P(PageStacks, AreNotWrittenIfPageOwnerIsOffOrItsPlaceIsWrong) {
  record_everywhere();
  for (const std::uint64_t offset : {std::uint64_t{0}, stacks.record_bytes(), ~std::uint64_t{7}}) {
    kernel.put(kernel.symbols["page_owner_ops"], "page_ext_operations.offset", offset);
    EXPECT_THAT(written(), HasSubstr(kNoOwner)) << offset;
  }
}

TEST_P(PageStacks, AreNotWrittenForFreedFrames) {
  record_everywhere();
  for (std::uint64_t pfn = 0x100; pfn < 0x120; ++pfn)
    kernel.put(stacks.page_ext(pfn), "page_ext.flags", 1);
  EXPECT_THAT(written(), HasSubstr(kNoOwner));
}

TEST_P(PageStacks, EndAfterSixteenFunctions) {
  std::vector<std::string> functions;
  for (int i = 0; i < 20; ++i) functions.push_back(fmt::format("function_{:02}", i));
  stacks.allocate(0x100, 5, stacks.record(functions));
  const std::string text = written();
  EXPECT_THAT(text, HasSubstr(" <- function_15+0x12 <- ...\n"));
}

TEST_P(PageStacks, EndBeforeTheirTextIsTooLong) {
  stacks.allocate(
      0x100, 5,
      stacks.record({std::string(200, 'a'), std::string(200, 'b'), std::string(200, 'c'),
                     std::string(200, 'd'), std::string(200, 'e'), std::string(200, 'f')}));
  const std::string text = written();
  EXPECT_THAT(text, HasSubstr("d+0x12 <- ...\n"));
  EXPECT_LT(text.find('\n', text.find("O: ")) - text.find("O: "), PM_STACK_TEXT_BYTES + 16u);
}

TEST_P(PageStacks, ShowFunctionsWithoutNamesAsModulesOrQuestionMarks) {
  const std::uint32_t handle = record_everywhere();
  const std::uint64_t entries = kernel.at(stacks.record_of(handle), "stack_record.entries");
  kernel.memory.put(entries + 8, 8, kMapped + 8);
  EXPECT_THAT(written(), HasSubstr("O: 1, code, ? <- probe+0x12\n"));
  kernel.has_mapped_addresses = true;
  ram.add_task(1, 0);
  ram.add({.first_pfn = 0x200});
  kernel.memory.put_text(kernel.at(ram.add_module(kMapped), "module.name"), "e1000");
  EXPECT_THAT(written(), HasSubstr("O: 1, code, [e1000] <- probe+0x12\n"));
}

TEST_P(PageStacks, AreRefusedIfTheyContradictThemselves) {
  const std::uint32_t handle = record_everywhere();
  const std::uint64_t record = stacks.record_of(handle);
  const std::uint64_t entries = kernel.at(record, "stack_record.entries");
  const auto expect_none = [&](std::string_view what) {
    EXPECT_THAT(written(), HasSubstr(kNoOwner)) << what;
  };
  for (const std::uint64_t size : {0u, 65u, 0x1000000u}) {
    kernel.put(record, "stack_record.size", size);
    expect_none(fmt::format("{} functions", size));
  }
  kernel.put(record, "stack_record.size", 3);
  for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{0x401000}}) {
    const std::uint64_t before = kernel.memory.get(entries + 8, 8);
    kernel.memory.put(entries + 8, 8, address);
    expect_none("an address that is not the kernel's");
    kernel.memory.put(entries + 8, 8, before);
  }
  kernel.memory.put(entries, 8, 0xFFFFFFFFC0001234);
  expect_none("a stack that does not begin in the kernel");
  kernel.memory.put(entries, 8, stacks.address_of("post_alloc_hook"));
  kernel.put(record, "stack_record.handle", handle ^ 1);
  expect_none("a record with another handle");
}

TEST_P(PageStacks, AreRefusedIfTheRecordOfTheFrameIsDamaged) {
  const std::uint32_t handle = record_everywhere();
  const std::uint64_t handles[] = {handle + 1, 0, 0xFFFFFFFF, handle};
  for (std::uint64_t pfn = 0x100; pfn < 0x120; ++pfn) {
    kernel.put(stacks.page_owner(pfn), "page_owner.handle", handles[pfn % 4]);
    if (pfn % 4 == 3) kernel.put(stacks.page_owner(pfn), "page_owner.order", 17);
  }
  EXPECT_THAT(written(), HasSubstr(kNoOwner));
}

TEST_P(PageStacks, AreRefusedIfTheirPoolIsMissing) {
  kernel.memory.lose(stacks.record_of(record_everywhere()));
  EXPECT_THAT(written(), HasSubstr(kNoOwner));
}

TEST_P(PageStacks, AreNotWrittenForASectionThatGoesOffline) {
  record_everywhere();
  kernel.put(ram.section(0x100), "mem_section.page_ext",
             kernel.get(ram.section(0x100), "mem_section.page_ext") | 1);
  EXPECT_THAT(written(), HasSubstr(kNoOwner));
}

class PageStacksOfNewKernels : public PageStacks {};

TEST_P(PageStacksOfNewKernels, AreReadFromAnArrayWhoseLengthIsAParameter) {
  record_everywhere();
  ram.variable("stack_max_pools", 4, 8191);
  ram.variable("stack_pools", 8, kernel.symbols["stack_pools"]);
  EXPECT_THAT(written(), HasSubstr("R: 00000100, 32, kernel, 1, "));
}

INSTANTIATE_TEST_SUITE_P(Eras, PageStacksOfNewKernels, testing::Values(Era::k6_12));
INSTANTIATE_TEST_SUITE_P(Eras, PageStacks, testing::Values(Era::k5_10, Era::k6_1, Era::k6_12));

}  // namespace
}  // namespace physmem::crash
