// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "formats/emit/flags.h"
#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

class Areas : public testing::Test {
 protected:
  /// Prints "START-END" for each area, then the number of corrupt places and the error.
  std::string areas() { return areas_in(kernel); }

  std::string areas_in(FakeKernel& in, std::uint64_t of = 0) {
    const Opened image(in);
    pm_areas found{};
    const int error = pm_find_areas(image.get(), of != 0 ? of : mm, &found);
    std::string text;
    for (std::size_t i = 0; i < found.n; ++i)
      text += fmt::format("{:X}-{:X} ", in.get(found.at[i], "vm_area_struct.vm_start"),
                          in.get(found.at[i], "vm_area_struct.vm_end"));
    if (image->notes.corrupt != 0) text += fmt::format("corrupt {} ", image->notes.corrupt);
    if (error != 0) text += fmt::format("error {} ", -error);
    pm_free_areas(&found);
    return text.empty() ? text : text.substr(0, text.size() - 1);
  }

  FakeKernel kernel;
  std::uint64_t mm = kernel.add_mm();
};

/// Adds areas of one to three pages, with some holes between them. Returns them as areas_in() does.
std::string add_areas(FakeKernel& kernel, std::uint64_t mm, std::size_t n) {
  std::string text;
  std::uint64_t at = 0x10000;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t end = at + (1 + i % 3) * kPage;
    kernel.add_area(mm, {.start = at, .end = end});
    text += fmt::format("{}{:X}-{:X}", i == 0 ? "" : " ", at, end);
    at = end + (i % 4 == 0 ? 5 * kPage : 0);
  }
  return text;
}

TEST_F(Areas, AreEmptyForEmptyAddressSpace) {
  EXPECT_EQ(areas(), "");
}

TEST_F(Areas, AreFoundInTreesAndListsOfAnySize) {
  for (const Era era : {Era::k5_10, Era::k6_1}) {
    for (const std::size_t n : {1u, 7u, 10u, 17u, 100u, 500u, 5000u}) {
      FakeKernel other(era);
      const std::uint64_t space = other.add_mm();
      const std::string expected = add_areas(other, space, n);
      EXPECT_EQ(areas_in(other, space), expected) << n;
    }
  }
}

TEST_F(Areas, MayFillWholeTree) {
  kernel.add_area(mm, {.start = 0, .end = kPage});
  kernel.add_area(mm, {.start = 0x7FFFFFFFE000, .end = 0x800000000000});
  EXPECT_EQ(areas(), "0-1000 7FFFFFFFE000-800000000000");
}

/// Creates a leaf whose last pivot is its end. Returns the address of the node with the mark bits
/// of the kernel in its low bits.
std::uint64_t leaf(FakeKernel& kernel,
                   const std::vector<std::pair<std::uint64_t, std::uint64_t>>& slots,
                   std::uint64_t kind = 4) {
  const std::string type = kind == 6 ? "maple_arange_64" : "maple_range_64";
  const std::uint64_t node = kernel.memory.allocate("maple node", kernel.types.size(type), 256);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i < (kind == 6 ? 9 : 15))
      kernel.memory.put(kernel.at(node, type + ".pivot") + 8 * i, 8, slots[i].first);
    kernel.memory.put(kernel.at(node, type + ".slot") + 8 * i, 8, slots[i].second);
  }
  return node | kind << 3 | 2;
}

class Tree : public Areas {
 protected:
  std::string areas_below(std::uint64_t root) {
    const Opened image(kernel);
    kernel.put(mm, "mm_struct.mm_mt/maple_tree.ma_root", root);
    pm_areas found{};
    EXPECT_EQ(pm_find_areas(image.get(), mm, &found), 0);
    std::string text;
    for (std::size_t i = 0; i < found.n; ++i)
      text += fmt::format("{} ", found.at[i] == one ? "one" : found.at[i] == two ? "two" : "?");
    pm_free_areas(&found);
    return text + fmt::format("corrupt {}", image->notes.corrupt);
  }

  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  std::uint64_t one = kernel.add_area(mm, {.start = 0x1000, .end = 0x2000});
  std::uint64_t two = kernel.add_area(mm, {.start = 0x5000, .end = 0x6000});
};

TEST_F(Tree, IsSingleEntryWithoutNode) {
  EXPECT_EQ(areas_below(one), "one corrupt 0");
}

TEST_F(Tree, AcceptsLeafWithOneSlot) {
  EXPECT_EQ(areas_below(leaf(kernel, {{kEnd, one}})), "one corrupt 0");
}

TEST_F(Tree, EndsNodeAtZeroPivot) {
  EXPECT_EQ(areas_below(leaf(kernel, {{0xFFF, 0}, {0x1FFF, one}, {0, two}, {0, one}})),
            "one two corrupt 0");
}

TEST_F(Tree, AcceptsThreeKindsOfNodes) {
  const std::uint64_t first = leaf(kernel, {{0xFFF, 0}, {0x1FFF, one}, {0x2FFF, 0}});
  const std::uint64_t second = leaf(kernel, {{0x5FFF, two}, {kEnd, 0}});
  for (const std::uint64_t kind : {5u, 6u})
    EXPECT_EQ(areas_below(leaf(kernel, {{0x2FFF, first}, {kEnd, second}}, kind)),
              "one two corrupt 0");
  EXPECT_EQ(areas_below(leaf(kernel, {{kEnd, one}}, 0)),
            "corrupt 1");  // a dense node, which trees of areas do not have
}

TEST_F(Tree, CountsDescendingPivotsAsCorrupt) {
  EXPECT_EQ(areas_below(leaf(kernel, {{0x1FFF, one}, {0x1000, 0}, {0x5FFF, two}})),
            "one corrupt 1");
  const std::uint64_t beyond = leaf(kernel, {{0x1FFF, one}, {0x9999, two}});
  EXPECT_EQ(areas_below(leaf(kernel, {{0x2FFF, beyond}, {kEnd, 0}}, 6)), "one corrupt 1");
}

TEST_F(Tree, CountsNodeThatIsItsOwnChildAsCorrupt) {
  const std::uint64_t root = leaf(kernel, {{0x2FFF, one}, {kEnd, two}}, 6);
  const std::uint64_t slots = kernel.at(root & ~std::uint64_t{0xFF}, "maple_arange_64.slot");
  kernel.memory.put(slots, 8, root);
  kernel.memory.put(slots + 8, 8, root);
  EXPECT_EQ(areas_below(root), "corrupt 2");
  const std::uint64_t child = leaf(kernel, {{0x1FFF, one}, {0x2FFF, 0}});
  kernel.memory.put(slots, 8, child);
  kernel.memory.put(slots + 8, 8, child);
  EXPECT_EQ(areas_below(root), "one corrupt 1");
}

TEST_F(Tree, CountsNodeThatDumpLacksAsCorrupt) {
  kernel.memory.allocate("a block of its own", kPage, kPage);
  const std::uint64_t lost = leaf(kernel, {{0x2FFF, one}});
  kernel.memory.allocate("a block of its own", kPage, kPage);
  const std::uint64_t root =
      leaf(kernel, {{0x2FFF, lost}, {kEnd, leaf(kernel, {{0x5FFF, two}, {kEnd, 0}})}}, 6);
  kernel.memory.lose(lost);
  EXPECT_EQ(areas_below(root), "two corrupt 1");
}

TEST_F(Areas, AreCorruptIfOverlappingEmptyOrMisaligned) {
  FakeKernel old(Era::k5_10);
  const std::uint64_t space = old.add_mm();
  for (std::uint64_t i = 1; i < 8; ++i)
    old.add_area(space, {.start = i << 16, .end = (i << 16) + 0x4000});
  old.finish();
  old.put(old.area(space, 1), "vm_area_struct.vm_end", 0x38000);    // overlaps the third area
  old.put(old.area(space, 3), "vm_area_struct.vm_start", 0x44000);  // empty
  old.put(old.area(space, 4), "vm_area_struct.vm_start", 0x50001);  // not page-aligned
  // The next area ends in the kernel's range.
  old.put(old.area(space, 5), "vm_area_struct.vm_end", 0xFFFF800000000000);
  EXPECT_EQ(areas_in(old, space), "10000-14000 20000-38000 70000-74000 corrupt 4");
}

TEST_F(Areas, EndIfListLoops) {
  FakeKernel old(Era::k5_10);
  const std::uint64_t space = old.add_mm();
  for (std::uint64_t i = 1; i < 4; ++i)
    old.add_area(space, {.start = i << 16, .end = (i << 16) + 0x4000});
  const Opened image(old);
  old.put(old.area(space, 2), "vm_area_struct.vm_next", old.area(space, 1));
  pm_areas found{};
  EXPECT_EQ(pm_find_areas(image.get(), space, &found), 0);
  EXPECT_EQ(found.n, 3u);
  EXPECT_EQ(image->notes.corrupt, 1u);
  pm_free_areas(&found);
}

TEST_F(Areas, CanBeInterrupted) {
  add_areas(kernel, mm, 100);
  const Opened image(kernel);
  kernel.is_interrupted = true;
  pm_areas found{};
  EXPECT_EQ(pm_find_areas(image.get(), mm, &found), -EINTR);
  pm_free_areas(&found);
}

}  // namespace
}  // namespace physmem::crash
