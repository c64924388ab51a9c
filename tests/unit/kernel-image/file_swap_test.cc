// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::HasSubstr;

/// Items of an xarray, see include/linux/xarray.h.
constexpr std::uint64_t slot_item(std::uint64_t type, std::uint64_t slot) {
  return (type << 58 | slot) << 1 | 1;
}
constexpr std::uint64_t sibling_of(std::uint64_t slot) {
  return slot << 2 | 2;
}
constexpr std::uint64_t kPageItem = 0xFFFFEA0000001000;

std::uint64_t node(FakeKernel& kernel, unsigned shift,
                   const std::map<unsigned, std::uint64_t>& items) {
  const std::uint64_t at = kernel.allocate("xa_node");
  kernel.put(at, "xa_node.shift", shift);
  for (const auto& [slot, item] : items)
    kernel.memory.put(kernel.at(at, "xa_node.slots") + 8 * slot, 8, item);
  return at | 2;
}

/// Prints "index=type:slot" for all slots with an index in [first, last].
std::string slots_in(pm_image* image, std::uint64_t root, std::uint64_t first, std::uint64_t last) {
  std::string text;
  pm_swap slot{};
  for (__u64 index = first; pm_next_slot(image, root, &index, last, &slot); ++index)
    text += fmt::format("{}={}:{:X} ", index, slot.type, slot.offset);
  return text;
}

TEST(FileSwap, FindsSlotsInTreeOfNodes) {
  FakeKernel kernel;
  const std::uint64_t low =
      node(kernel, 0, {{1, kPageItem}, {2, slot_item(0, 0x2A4)}, {63, slot_item(3, 7)}});
  const std::uint64_t high = node(kernel, 0, {{0, slot_item(1, 9)}});
  const std::uint64_t root = node(kernel, 6, {{0, low}, {5, high}});
  Opened image(kernel);
  EXPECT_EQ(slots_in(image.get(), root, 0, ~std::uint64_t{0} >> 12), "2=0:2A4 63=3:7 320=1:9 ");
  EXPECT_EQ(slots_in(image.get(), root, 3, 319), "63=3:7 ");
  EXPECT_EQ(slots_in(image.get(), slot_item(2, 8), 0, 5), "0=2:8 ");
  EXPECT_EQ(slots_in(image.get(), kPageItem, 0, 5), "");
  EXPECT_EQ(slots_in(image.get(), 0, 0, 5), "");
  EXPECT_EQ(image->notes.corrupt, 0u);
}

TEST(FileSwap, NumbersSlotsOfLargeFolioFromFirstSlot) {
  FakeKernel kernel;
  const std::uint64_t leaf =
      node(kernel, 0,
           {{4, slot_item(0, 0x100)}, {5, sibling_of(4)}, {6, sibling_of(4)}, {7, sibling_of(4)}});
  const std::uint64_t root =
      node(kernel, 6, {{0, leaf}, {2, slot_item(0, 0x1000)}, {3, sibling_of(2)}});
  Opened image(kernel);
  EXPECT_EQ(slots_in(image.get(), root, 0, 100), "4=0:100 5=0:101 6=0:102 7=0:103 ");
  EXPECT_EQ(slots_in(image.get(), root, 130, 131), "130=0:1002 131=0:1003 ");
  EXPECT_EQ(slots_in(image.get(), root, 255, 300), "255=0:107F ");
}

TEST(FileSwap, SkipsMarkersOfLostPages) {
  FakeKernel kernel;
  const std::uint64_t root = node(kernel, 0, {{0, slot_item(25, 1)}, {1, slot_item(1, 1)}});
  Opened image(kernel);
  EXPECT_EQ(slots_in(image.get(), root, 0, 63), "1=1:1 ");
}

TEST(FileSwap, EndsAtInconsistentNode) {
  FakeKernel kernel;
  const std::uint64_t inner = node(kernel, 6, {{0, slot_item(0, 1)}});
  const std::uint64_t root = node(kernel, 6, {{0, inner}});
  Opened image(kernel);
  EXPECT_EQ(slots_in(image.get(), root, 0, 63), "");
  EXPECT_EQ(image->notes.corrupt, 1u);
}

/// A process that maps pages 1 to 4 of a file. Pages 0, 2 and 4 of the file are in swap, page 3 is
/// in memory.
struct SharedMemory {
  explicit SharedMemory(std::uint64_t magic) {
    const FakeProcess process = kernel.add_process({.pid = 7, .comm = "shm"});
    const std::uint64_t file = kernel.file("/dev/shm/a");
    const std::uint64_t mapping = kernel.allocate("address_space");
    const std::uint64_t inode = kernel.get(file, "file.f_inode");
    kernel.put(file, "file.f_mapping", mapping);
    kernel.put(mapping, "address_space.host", inode);
    kernel.put(
        mapping, "address_space.i_pages/xarray.xa_head",
        node(kernel, 0,
             {{0, slot_item(0, 5)}, {2, slot_item(0, 6)}, {3, kPageItem}, {4, slot_item(1, 7)}}));
    kernel.put(kernel.get(inode, "inode.i_sb"), "super_block.s_magic", magic);
    kernel.add_area(process.mm, {.start = 0x400000, .end = 0x404000, .file = file, .pgoff = 1});
    kernel.add_area(process.mm, {.start = 0x40000000, .end = 0x80000000, .file = file, .pgoff = 1});
    kernel.map_page(process.mm, 0x402000, 0x1A2B3);
    kernel.finish();
  }
  FakeKernel kernel;
};

TEST(FileSwap, AssignsSlotsToAreasThatMapThem) {
  SharedMemory memory(0x01021994);
  const std::string text = snapshot_of(memory.kernel).text;
  EXPECT_THAT(text, HasSubstr("\nS: 00401000=0:00000006 | 00403000=1:00000007 |\n"));
  EXPECT_THAT(text,
              HasSubstr("\nP: 0, 0, 0, 0, 0, 2\nS: 40001000=0:00000006 | 40003000=1:00000007 |\n"));
}

TEST(FileSwap, IgnoresOtherFileSystems) {
  SharedMemory memory(0xEF53);
  EXPECT_THAT(snapshot_of(memory.kernel).text, testing::Not(HasSubstr("\nS:")));
}

}  // namespace
}  // namespace physmem::crash
