// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/emit/flags.h"
#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::EndsWith;
using testing::StartsWith;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kGiB = 1 << 30;

pm_range memory(std::uint64_t start, std::uint64_t end) {
  pm_range range{};
  range.start = start;
  range.end = end;
  return range;
}

pm_range hugetlb(std::uint64_t start, std::uint64_t end) {
  pm_range range = memory(start, end);
  range.is_hugetlb = true;
  return range;
}

/// Walks page tables with repeated calls until the range is complete.
class Walk {
 public:
  Walk(FakeKernel& kernel, std::uint64_t mm) : image_(kernel) {
    pm_tables_open(image_.get(), &tables_, mm);
  }
  ~Walk() { pm_tables_close(&tables_); }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  /// One line per page and swap slot, followed by the notes.
  std::string through(const pm_range& range) {
    std::string text;
    calls = 0;
    pages = 0;
    for (std::uint64_t va = range.start; va < range.end; ++calls) {
      const std::uint64_t next = pm_pte_walk(image_.get(), &tables_, &range, va, found_.get());
      EXPECT_GT(next, va);
      va = next;
      for (std::size_t i = 0; i < found_->n_pages; ++i)
        text += fmt::format("{:X}={:X}\n", found_->pages[i].va, found_->pages[i].pte);
      for (std::size_t i = 0; i < found_->n_swapped; ++i)
        text += fmt::format("{:X} in {}:{:X}\n", found_->swapped[i].va, found_->swapped[i].type,
                            found_->swapped[i].offset);
      if (found_->is_guarded) text += "guarded\n";
      pages += found_->n_pages;
    }
    return text + notes();
  }

  std::size_t calls = 0;
  std::size_t pages = 0;

 private:
  std::string notes() {
    std::string text;
    if (image_->notes.in_transit != 0)
      text += fmt::format("in transit {}\n", image_->notes.in_transit);
    if (const pm_markers& m = image_->notes.markers; m.guard + m.write_protect != 0)
      text += fmt::format("guard {}, write protect {}\n", m.guard, m.write_protect);
    if (image_->notes.table_excluded != 0)
      text += fmt::format("tables {}\n", image_->notes.table_excluded);
    if (image_->notes.corrupt != 0) text += fmt::format("corrupt {}\n", image_->notes.corrupt);
    image_->notes = {};
    return text;
  }

  Opened image_;
  pm_tables tables_{};
  std::unique_ptr<pm_stretch> found_ = std::make_unique<pm_stretch>();
};

std::string found_in(FakeKernel& kernel, std::uint64_t mm, std::uint64_t start, std::uint64_t end) {
  return Walk(kernel, mm).through(memory(start, end));
}

TEST(PteWalk, FindsPagesAndSlotsInOrder) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x400000, present(0x1A2B3));
  kernel.set_entry(mm, 0x401000, swapped(1, 0x2A4));
  kernel.set_entry(mm, 0x403000, 0x8000000000000000 | present(0x1A2B4, 0x25));
  kernel.set_entry(mm, 0x404000, present(0x1A2B5));
  EXPECT_EQ(found_in(kernel, mm, 0x400000, 0x404000), R"(400000=1A2B3067
403000=800000001A2B4025
401000 in 1:2A4
)");
}

TEST(PteWalk, WalksFourAndFiveLevels) {
  for (const unsigned levels : {4u, 5u}) {
    FakeKernel kernel(Era::k6_1, levels);
    const std::uint64_t mm = kernel.add_mm();
    const std::uint64_t top = levels == 5 ? std::uint64_t{1} << 56 : std::uint64_t{1} << 47;
    for (const std::uint64_t va : {std::uint64_t{0}, std::uint64_t{1} << 46, top - kPage})
      kernel.set_entry(mm, va, present(0x10000 + (va >> 46)));
    EXPECT_EQ(found_in(kernel, mm, 0, top),
              fmt::format("0=10000067\n400000000000=10001067\n{:X}={:X}067\n", top - kPage,
                          0x10000 + ((top - kPage) >> 46)));
  }
}

TEST(PteWalk, SplitsHugePage) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 2 * kMiB, huge(0x40000), 1);
  Walk walk(kernel, mm);
  EXPECT_THAT(walk.through(memory(0, 4 * kMiB)), StartsWith("200000=400000E7\n201000=400010E7\n"));
  EXPECT_EQ(walk.pages, 512u);
  EXPECT_EQ(walk.through(memory(3 * kMiB, 3 * kMiB + 2 * kPage)),
            "300000=401000E7\n301000=401010E7\n");
}

TEST(PteWalk, BeginsInMiddleOfGiantPage) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 2 * kGiB, huge(0x80000), 2);
  Walk walk(kernel, mm);
  EXPECT_EQ(walk.through(hugetlb(2 * kGiB + 513 * kPage, 2 * kGiB + 515 * kPage)),
            "80201000=802010E7\n80202000=802020E7\n");
  EXPECT_THAT(walk.through(hugetlb(2 * kGiB, 3 * kGiB)), EndsWith("\nBFFFF000=BFFFF0E7\n"));
  EXPECT_EQ(walk.pages, 262144u);
  EXPECT_EQ(walk.calls, 262144u / PM_STEP);
}

TEST(PteWalk, FindsPagesWithoutAccess) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x1000, prot_none(0x1A2B3));
  kernel.set_entry(mm, 2 * kMiB, prot_none(0x40000, 512) | kHuge, 1);
  EXPECT_EQ(found_in(kernel, mm, 0, 2 * kMiB + kPage), "1000=1A2B3100\n200000=40000180\n");
}

TEST(PteWalk, CountsOtherEntriesAsInTransit) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x1000, swapped(22, 1));
  kernel.set_entry(mm, 0x2000, swapped(23, 2));  // not a swap device but a migration entry
  kernel.set_entry(mm, 0x3000, swapped(31, 3));  // a marker
  kernel.set_entry(mm, 2 * kMiB, swapped(30, 4), 1);
  EXPECT_EQ(found_in(kernel, mm, 0, 4 * kMiB), "1000 in 22:1\nin transit 514\n");
  Walk walk(kernel, mm);
  EXPECT_EQ(walk.through(hugetlb(0, 2 * kMiB)), "in transit 3\n");  // hugetlb has no swap
}

TEST(PteWalk, KnowsEntriesOfBrokenFrames) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_frame(0x1A2B3, {.flags = {"PG_hwpoison"}});
  kernel.set_frame(0x1A2B4, {});
  kernel.set_entry(mm, 0x1000, swapped(23, 0x1A2B3));
  kernel.set_entry(mm, 0x2000, swapped(24, 0x1A2B4));
  kernel.set_entry(mm, 0x3000, swapped(31, 2));  // a marker without a frame
  const Opened image(kernel);
  pm_tables tables{};
  pm_tables_open(image.get(), &tables, mm);
  const auto found = std::make_unique<pm_stretch>();
  const pm_range range{0, 4 * kMiB, false, 0, 0, false};
  EXPECT_EQ(pm_pte_walk(image.get(), &tables, &range, 0, found.get()), 4 * kMiB);
  EXPECT_EQ(image->notes.in_transit, 3u);
  EXPECT_EQ(image->notes.poisoned, 1u);
  EXPECT_EQ(image->notes.migrating, 1u);
  pm_tables_close(&tables);
}

TEST(PteWalk, CountsMarkersByKind) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x1000, swapped(31, 4));
  kernel.set_entry(mm, 0x2000, swapped(31, 1));
  kernel.set_entry(mm, 0x3000, swapped(31, 2));  // a lost page
  EXPECT_EQ(found_in(kernel, mm, 0x1000, 4 * kMiB),
            "guarded\nin transit 1\nguard 1, write protect 1\n");
  EXPECT_EQ(found_in(kernel, mm, 0, 0x2000), "guard 1, write protect 0\n");
}

TEST(PteWalk, IgnoresMarkedEmptyEntriesOfKnightsLanding) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x1000, 0x60);
  EXPECT_EQ(found_in(kernel, mm, 0, kMiB), "");
}

TEST(PteWalk, IgnoresFramesOfDeviceAreas) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x1000, present(0x1A2B3));
  pm_range device = memory(0, kMiB);
  device.has_no_pages = true;
  EXPECT_EQ(Walk(kernel, mm).through(device), "");
}

TEST(PteWalk, ContinuesAfterFullStretch) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  std::string pages;
  for (std::uint64_t i = 0; i < PM_STEP * 2 + 1; ++i) {
    kernel.set_entry(mm, i * kPage, present(0x40000 + i));
    pages += fmt::format("{:X}={:X}067\n", i * kPage, 0x40000 + i);
  }
  Walk walk(kernel, mm);
  EXPECT_EQ(walk.through(memory(0, 128 * kMiB)), pages);
  EXPECT_EQ(walk.calls, 3u);
}

TEST(PteWalk, NotesTablesThatDumpLacks) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  for (const std::uint64_t va : {0 * kGiB, 2 * kMiB, 1 * kGiB})
    kernel.set_entry(mm, va, present(0x40000));
  kernel.memory.lose(kernel.table(mm, 2 * kMiB, 0));
  EXPECT_EQ(found_in(kernel, mm, 0, 2 * kGiB), "0=40000067\n40000000=40000067\ntables 1\n");
  kernel.memory.lose(kernel.table(mm, 0, 1));
  EXPECT_EQ(found_in(kernel, mm, 0, 2 * kGiB), "40000000=40000067\ntables 1\n");
  kernel.memory.lose(kernel.table(mm, 0, 3));
  EXPECT_EQ(found_in(kernel, mm, 0, 2 * kGiB), "tables 1\n");
}

TEST(PteWalk, FollowsTableOnce) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0, present(0x40000));
  const std::uint64_t table = FakeMemory::physical(kernel.table(mm, 0, 0)) | kUser;
  for (std::uint64_t i = 1; i < 512; ++i) kernel.set_entry(mm, i * 2 * kMiB, table, 1);
  EXPECT_EQ(found_in(kernel, mm, 0, kGiB), "0=40000067\ncorrupt 511\n");
}

/// Two areas share a table, and an area is walked twice.
TEST(PteWalk, FollowsTableAgainForSameAddresses) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0x1000, present(0x40000));
  kernel.set_entry(mm, 0x2000, present(0x40001));
  Walk walk(kernel, mm);
  EXPECT_EQ(walk.through(memory(0, 0x2000)), "1000=40000067\n");
  EXPECT_EQ(walk.through(memory(0x2000, 0x4000)), "2000=40001067\n");
  EXPECT_EQ(walk.through(memory(0x2000, 0x4000)), "2000=40001067\n");
}

/// There are 60 tables below the top level, but the kernel has counted fewer. Up to 16 more may be
/// in transit.
TEST(PteWalk, FollowsNoMoreTablesThanKernelCounted) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  for (std::uint64_t i = 0; i < 58; ++i) kernel.set_entry(mm, i * 2 * kMiB, present(0x40000 + i));
  ASSERT_EQ(kernel.get(mm, "mm_struct.pgtables_bytes"), 60 * kPage);
  Walk whole(kernel, mm);
  whole.through(memory(0, kGiB));
  EXPECT_EQ(whole.pages, 58u);
  kernel.put(mm, "mm_struct.pgtables_bytes", 3 * kPage);
  Walk walk(kernel, mm);
  EXPECT_THAT(walk.through(memory(0, kGiB)), EndsWith("\n2000000=40010067\ncorrupt 41\n"));
  EXPECT_EQ(walk.pages, 17u);
}

/// Tables that the first walk skips must also be skipped by the second walk, because P: and M: come
/// from two walks.
TEST(PteWalk, FindsSamePagesInSecondWalk) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  for (std::uint64_t i = 0; i < 58; ++i) kernel.set_entry(mm, i * 2 * kMiB, present(0x40000 + i));
  kernel.put(mm, "mm_struct.pgtables_bytes", 3 * kPage);
  Walk walk(kernel, mm);
  const std::string first = walk.through(memory(0, kGiB));
  EXPECT_EQ(walk.through(memory(0, kGiB)), first);
}

TEST(PteWalk, EndsIfTablesLoop) {
  for (const unsigned levels : {4u, 5u}) {
    FakeKernel kernel(Era::k6_1, levels);
    const std::uint64_t mm = kernel.add_mm();
    for (unsigned level = levels; level-- > 1;) {
      const std::uint64_t table = kernel.table(mm, 0, level);
      for (std::uint64_t i = 0; i < 512; ++i)
        kernel.memory.put(table + 8 * i, 8, FakeMemory::physical(table) | kUser);
      Walk walk(kernel, mm);
      EXPECT_LE(walk.through(memory(0, std::uint64_t{1} << 47)).size(), 512 * 40u) << level;
      kernel.memory.write(table, std::string(kPage, '\0').data(), kPage);
    }
  }
}

/// An additional bit in an entry of the top level must not result in 134 million pages.
TEST(PteWalk, RejectsHugePagesAtUpperLevels) {
  for (const unsigned levels : {4u, 5u}) {
    for (unsigned level = 3; level < levels; ++level) {
      FakeKernel kernel(Era::k6_1, levels);
      const std::uint64_t mm = kernel.add_mm();
      kernel.set_entry(mm, 0x1000, present(0x40000));
      const std::uint64_t top = kernel.table(mm, 0, level);
      kernel.memory.put(top, 8, kernel.memory.get(top, 8) | kHuge);
      EXPECT_EQ(found_in(kernel, mm, 0, kGiB), "corrupt 1\n") << level << " of " << levels;
    }
  }
}

/// The bits below the size of a huge page are reserved. They are set in a table entry to which a
/// fault has added the huge bit.
TEST(PteWalk, RejectsHugePageWithBitsBelowItsSize) {
  for (const unsigned level : {1u, 2u}) {
    FakeKernel kernel;
    const std::uint64_t mm = kernel.add_mm();
    kernel.set_entry(mm, 0, present(0x12345, kUser | kHuge), level);
    EXPECT_EQ(found_in(kernel, mm, 0, kGiB), "corrupt 1\n") << level;
  }
}

/// No kernel has giant pages elsewhere, but a fault of one byte in an empty entry creates one.
TEST(PteWalk, AcceptsGiantPagesOnlyInHugetlb) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0, huge(0x80000), 2);
  EXPECT_EQ(found_in(kernel, mm, 0, kGiB), "corrupt 1\n");
  Walk walk(kernel, mm);
  walk.through(hugetlb(0, kGiB));
  EXPECT_EQ(walk.pages, 262144u);
}

TEST(PteWalk, AcceptsPatBitOfHugePage) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.set_entry(mm, 0, huge(0x40000) | 0x1000, 1);
  EXPECT_EQ(found_in(kernel, mm, 0, 2 * kPage), "0=400000E7\n1000=400010E7\n");
}

TEST(PteWalk, MasksEncryptionBit) {
  FakeKernel kernel;
  const std::uint64_t mm = kernel.add_mm();
  kernel.memory.put(kernel.symbols.at("physical_mask"), 8, 0x00007FFFFFFFFFFF);
  kernel.set_entry(mm, 0x1000, present(0x40000) | std::uint64_t{1} << 47);
  EXPECT_EQ(found_in(kernel, mm, 0, kMiB), "1000=800040000067\n");
}

}  // namespace
}  // namespace physmem::crash
