// SPDX-License-Identifier: MIT
// /proc/iomem and memory blocks: which frames are RAM, the kernel's image, offline.
#include "collector-proc/ram/physical_map.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using Kind = FrameSpan::Kind;
using testing::ElementsAre;

std::vector<FrameSpan> map_of(std::string_view iomem) {
  return parse_iomem(iomem, kPageSize);
}

TEST(PhysicalMap, HasSystemRamAndTheKernelInIt) {
  EXPECT_THAT(
      map_of("00000000-00000fff : Reserved\n"
             "00001000-0009fbff : System RAM\n"
             "00100000-bfffffff : System RAM\n"
             "  01000000-02209987 : Kernel code\n"
             "  02400000-02e09fff : Kernel rodata\n"
             "  03000000-0327c0ff : Kernel data\n"
             "c0001000-eebfffff : PCI Bus 0000:00\n"),
      ElementsAre(
          FrameSpan{1, 0x9F, Kind::kRam}, FrameSpan{0x100, 0x1000, Kind::kRam},
          FrameSpan{0x1000, 0x220A, Kind::kKernelCode}, FrameSpan{0x220A, 0x2400, Kind::kRam},
          FrameSpan{0x2400, 0x2E0A, Kind::kKernelCode}, FrameSpan{0x2E0A, 0x3000, Kind::kRam},
          FrameSpan{0x3000, 0x327D, Kind::kKernelData}, FrameSpan{0x327D, 0xC0000, Kind::kRam}));
}

TEST(PhysicalMap, LeavesOutFramesThatAreOnlyPartlyRam) {
  EXPECT_THAT(map_of("00001800-00003fff : System RAM\n00005000-000057ff : System RAM\n"),
              ElementsAre(FrameSpan{2, 4, Kind::kRam}));
}

TEST(PhysicalMap, HasEachFrameOnce) {
  EXPECT_THAT(map_of("00003000-00005fff : System RAM\n00001000-00003fff : System RAM\n"
                     "00002000-00002fff : System RAM\n"),
              ElementsAre(FrameSpan{1, 4, Kind::kRam}, FrameSpan{4, 6, Kind::kRam}));
  EXPECT_THAT(map_of("1000-ffffffffffffffff : System RAM\n"), ElementsAre());
}

/// As virtio-mem, and a CXL device by dax, add it.
TEST(PhysicalMap, CountsRamOfDrivers) {
  EXPECT_THAT(map_of("00001000-00001fff : System RAM\n"
                     "00002000-00007fff : virtio0\n"
                     "  00002000-00003fff : System RAM (virtio_mem)\n"
                     "00008000-0000ffff : CXL Window 0\n"
                     "  00008000-0000ffff : region0\n"
                     "    00008000-0000ffff : dax0.0\n"
                     "      00009000-0000bfff : System RAM (kmem)\n"
                     "        0000a000-0000afff : Kernel data\n"
                     "    0000d000-0000dfff : Kernel data\n"),
              ElementsAre(FrameSpan{1, 2, Kind::kRam}, FrameSpan{2, 4, Kind::kRam},
                          FrameSpan{9, 10, Kind::kRam}, FrameSpan{10, 11, Kind::kKernelData},
                          FrameSpan{11, 12, Kind::kRam}));
}

TEST(PhysicalMap, IgnoresPartsOutsideOfRam) {
  EXPECT_THAT(map_of("00001000-00001fff : Reserved\n  00001000-00001fff : Kernel code\n"
                     "00002000-00002fff : System RAM\n"),
              ElementsAre(FrameSpan{2, 3, Kind::kRam}));
}

TEST(PhysicalMap, IsEmptyIfAddressesAreHidden) {
  EXPECT_THAT(map_of("00000000-00000000 : System RAM\n  00000000-00000000 : Kernel code\n"),
              ElementsAre());
  EXPECT_THAT(map_of("no resource\n-\n00001000-\n"), ElementsAre());
}

TEST(PhysicalMap, KeepsTheKernelOutOfOfflineMemory) {
  std::vector<FrameSpan> map = map_of(
      "00000000-00003fff : System RAM\n  00001000-00001fff : "
      "Kernel data\n");
  mark_offline(map, 2, 10);
  EXPECT_THAT(map, ElementsAre(FrameSpan{0, 1, Kind::kRam}, FrameSpan{1, 2, Kind::kKernelData},
                               FrameSpan{2, 4, Kind::kOffline}));
  EXPECT_EQ(frames_of(map), 4u);
}

TEST(PhysicalMap, MarksTheOfflineBlocksOfSys) {
  FixtureTree tree;
  tree.file("devices/system/memory/block_size_bytes", "2000\n");  // hexadecimal: two pages
  tree.file("devices/system/memory/memory0/state", "online\n");
  tree.file("devices/system/memory/memory1/state", "offline\n");
  tree.file("devices/system/memory/memory2/state", "going-offline\n");
  tree.file("devices/system/memory/probe", "");
  std::vector<FrameSpan> map{{0, 6, Kind::kRam}};
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  EXPECT_TRUE(mark_offline_blocks(map, sys.get(), kPageSize));
  EXPECT_THAT(map, ElementsAre(FrameSpan{0, 2, Kind::kRam}, FrameSpan{2, 4, Kind::kOffline},
                               FrameSpan{4, 6, Kind::kRam}));
}

TEST(PhysicalMap, HasNoOfflineBlocksWithoutHotplug) {
  FixtureTree tree;
  std::vector<FrameSpan> map{{0, 6, Kind::kRam}};
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  EXPECT_FALSE(mark_offline_blocks(map, sys.get(), kPageSize));
  EXPECT_THAT(map, ElementsAre(FrameSpan{0, 6, Kind::kRam}));
}

}  // namespace
}  // namespace physmem::collect
