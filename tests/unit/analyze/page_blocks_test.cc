// SPDX-License-Identifier: MIT
// Fragmentation: free blocks, pageblocks, and what huge pages need.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/ram/page_blocks.h"
#include "analyzer/shape/fragmentation_shape.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

// Six pageblocks of 512 frames: movable, free, with slabs, hugetlb, free and mixed with one slab
// page; then half a block.
constexpr std::string_view kBlocks =
    R"(Z: 0, DMA32, 00000000, 1024, 1024, 1024, 612, 0, 1, 2, 3
Z: 1, Normal, 00000400, 2304, 2304, 2304, 900, 0, 1, 2, 3
O: 1, slab, 192, 21, dentry
O: 2, slab, 64, 64, kmalloc-64
R: 00000000, 412, anon, 0, 0, 00005028, 1, 00000000
R: 0000019C, 100, free, 0, 0, 00000400, 0, 00000002
R: 00000200, 512, free, 0, 0, 00000400, 0, 00000009
R: 00000400, 500, slab, 1, 0, 00000080, 0, 00000000
R: 000005F4, 12, slab, 2, 0, 00000080, 0, 00000000
R: 00000600, 512, hugetlb, 0, 0, 00020000, 1, 00000000
R: 00000800, 512, free, 0, 0, 00000400, 0, 0000000A
R: 00000A00, 300, file, 0, 0, 00000028, 0, 00000000
R: 00000B2C, 211, free, 0, 0, 00000400, 0, 00000000
R: 00000BFF, 1, slab, 1, 0, 00000080, 0, 00000000
R: 00000C00, 256, free, 0, 0, 00000400, 0, 00000008
)";

PageBlocks blocks_of(std::string_view records) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  PageBlocks blocks;
  fold(with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), kEnd,
            std::string(records) + std::string(kEnd)),
       {&blocks});
  return blocks;
}

TEST(PageBlocks, CountsFramesOfEachBlock) {
  const PageBlocks blocks = blocks_of(kBlocks);
  std::vector<std::string> rows;
  for (const PageBlock& block : blocks.blocks())
    rows.push_back(std::to_string(block.number) + ": " + std::to_string(block.ram) + " " +
                   std::to_string(block.free) + " " + std::to_string(block.movable()) + " " +
                   std::to_string(block.unmovable));
  EXPECT_THAT(rows,
              ElementsAre("0: 512 100 412 0", "1: 512 512 0 0", "2: 512 0 0 512", "3: 512 0 0 0",
                          "4: 512 512 0 0", "5: 512 211 300 1", "6: 256 256 0 0"));
  EXPECT_EQ(blocks.blocks()[0].use, BlockUse::kAnon);
  EXPECT_EQ(blocks.blocks()[1].use, BlockUse::kFree);
  EXPECT_EQ(blocks.blocks()[2].use, BlockUse::kSlab);
  EXPECT_EQ(blocks.blocks()[3].use, BlockUse::kHuge);
  EXPECT_EQ(blocks.blocks()[5].use, BlockUse::kFile);
}

TEST(PageBlocks, DoNotKnowUnmarkedFramesIfMemoryIsFreeInNoZone) {
  constexpr std::string_view kUnmarked =
      "R: 00000000, 512, unmarked, 0, 0, 00000000, 0, 00000000\n";
  const auto blocks = [&](const char* free) {
    return blocks_of("G: ram.before.free=" + std::string(free) +
                     ", ram.before.free_in_zones=1000\n" + std::string(kUnmarked));
  };
  const PageBlocks some = blocks("40000");
  EXPECT_EQ(some.free_in_no_zone(), 39000u);
  EXPECT_EQ(some.blocks()[0].not_known, 512u);
  EXPECT_EQ(some.blocks()[0].use, BlockUse::kNotKnown);
  EXPECT_TRUE(some.blockers().empty());
  const PageBlocks none = blocks("1100");
  EXPECT_EQ(none.free_in_no_zone(), 0u) << "freed between the readings";
  EXPECT_EQ(none.blocks()[0].unmovable, 512u);
}

TEST(PageBlocks, AreRunsOfBlocksThatAreAlike) {
  // 4 PiB: half a block, then movable ones.
  const PageBlocks blocks = blocks_of(
      "R: 00000100, 256, slab, 0, 0, 00000080, 0, 00000000\n"
      "R: 00000200, 1099511627264, anon, 0, 0, 00005028, 1, 00000000\n");
  ASSERT_EQ(blocks.blocks().size(), 2u);
  EXPECT_EQ(blocks.blocks()[0].ram, 256u);
  EXPECT_EQ(blocks.blocks()[1].number, 1u);
  EXPECT_EQ(blocks.blocks()[1].count, (std::uint64_t{1} << 31) - 1);
  EXPECT_EQ(blocks.blocks()[1].movable(), 512u);
  ASSERT_EQ(blocks.huge_rooms().size(), 2u);
  EXPECT_EQ(blocks.huge_rooms()[0].blocks, (std::uint64_t{1} << 31) - 1);
  EXPECT_EQ(blocks.huge_rooms()[0].movable, (std::uint64_t{1} << 31) - 1);
  // The first block of 1 GiB lacks half a pageblock.
  EXPECT_EQ(blocks.huge_rooms()[1].blocks, (std::uint64_t{1} << 22) - 1);
}

TEST(PageBlocks, CanMoveAsManyAlikeBlocksAsFitIntoFreeMemory) {
  // 64 blocks, each with 8 free pages after 504 movable ones; 64 blocks that are free.
  std::string runs = "Z: 0, DMA32, 00000000, 65536, 65536, 65536, 0, 0, 1, 2, 3\n";
  for (std::uint64_t block = 0; block < 64; ++block)
    runs += fmt::format(
        "R: {:08X}, 504, anon, 0, 0, 00005028, 1, 00000000\n"
        "R: {:08X}, 8, free, 0, 0, 00000400, 0, 00000000\n",
        block * 512, block * 512 + 504);
  runs += "R: 00008000, 2048, free, 0, 0, 00000400, 0, 00000009\n";
  const PageBlocks blocks = blocks_of(runs);
  EXPECT_EQ(blocks.blocks().size(), 2u);
  // Free are 2048 + 64 * 8 pages; four blocks need none, and each other one takes 512 of the rest:
  // the four free ones, then 504 * n <= 512 - 8 * n, which is n = 1.
  EXPECT_EQ(blocks.huge_rooms()[0].ready, 4u);
  EXPECT_EQ(blocks.huge_rooms()[0].compacted, 5u);
}

TEST(PageBlocks, AreDrawnInAsManyCellsAsAreAllowed) {
  const PageBlocks blocks = blocks_of(
      "R: 00000000, 1024, slab, 0, 0, 00000080, 0, 00000000\n"
      "R: 00000400, 1099511626752, free, 0, 0, 00000400, 0, 00000009\n");
  const BlockMap map = block_map(blocks, {}, 1000);
  ASSERT_EQ(map.parts.size(), 1u);
  EXPECT_EQ(map.parts[0].cells.size(), 512u);
  EXPECT_TRUE(map.parts[0].cells[0].has_unmovable);
  EXPECT_FALSE(map.parts[0].cells[1].has_unmovable);
  EXPECT_EQ(page_blocks_table(blocks, {}).rows.size(), 2u);
}

TEST(PageBlocks, AddsUpFreeBlocksByZoneAndOrder) {
  const PageBlocks blocks = blocks_of(kBlocks);
  ASSERT_EQ(blocks.zones().size(), 2u);
  EXPECT_EQ(blocks.zones()[0].free.pages[2], 100u);
  EXPECT_EQ(blocks.zones()[0].free.of_at_least(9), 512u);
  EXPECT_EQ(blocks.zones()[1].free.total(), 512u + 211u + 256u);
  EXPECT_EQ(blocks.zones()[1].free.largest(), 10u);
  EXPECT_TRUE(blocks.has_orders());
}

// Zone DMA32 has 100 + 512 free frames, so the 412 anonymous pages of block 0 fit into block 1; but
// then block 1 is not free any more. In Normal, block 5 has a page that cannot be moved.
TEST(PageBlocks, FindsRoomForHugePages) {
  const HugeRoom room = blocks_of(kBlocks).huge_rooms().front();
  EXPECT_EQ(room.order, 9u);
  EXPECT_EQ(room.blocks, 6u);
  EXPECT_EQ(room.in_use, 1u);
  EXPECT_EQ(room.ready, 2u);
  EXPECT_EQ(room.compacted, 2u);
  EXPECT_EQ(room.movable, 3u);
}

TEST(PageBlocks, CountsABlockThatMovingPagesWouldFree) {
  std::string records(kBlocks);
  records = with(records, "00000BFF, 1, slab, 1", "00000BFF, 1, anon, 0");
  const HugeRoom room = blocks_of(records).huge_rooms().front();
  // Block 4 is free; the 301 pages of block 5 fit into the 256 of block 6 and not elsewhere.
  EXPECT_EQ(room.compacted, 2u);
  records = with(records, "00000A00, 300, file", "00000A00, 200, file");
  records = with(records, "00000B2C, 211, free", "00000AC8, 311, free");
  EXPECT_EQ(blocks_of(records).huge_rooms().front().compacted, 3u);
}

TEST(PageBlocks, NamesWhatAloneMakesBlocksUnmovable) {
  const std::vector<Blocker> blockers = blocks_of(kBlocks).blockers();
  ASSERT_EQ(blockers.size(), 1u) << "block 2 has two owners";
  EXPECT_EQ(blockers[0].owner, "dentry");
  EXPECT_EQ(blockers[0].blocks, 1u);
  EXPECT_EQ(blockers[0].pages, 1u);
}

TEST(PageBlocks, CountsFreeMemoryWithoutZones) {
  const PageBlocks blocks = blocks_of("R: 00000000, 512, free, 0, 0, 00000400, 0, 00000009\n");
  ASSERT_EQ(blocks.zones().size(), 1u);
  EXPECT_FALSE(blocks.zones()[0].node);
  EXPECT_EQ(blocks.zones()[0].free.total(), 512u);
}

TEST(PageBlocks, TakesAZoneThatIsListedTwiceForOne) {
  const std::string_view kZone = "Z: 0, DMA32, 00000000, 1024, 1024, 1024, 612, 0, 1, 2, 3\n";
  const PageBlocks blocks = blocks_of(std::string(kZone) + std::string(kBlocks));
  EXPECT_EQ(blocks.zones().size(), 2u);
  EXPECT_EQ(blocks.zones()[1].free.total(), 512u + 211u + 256u);
}

// By /proc, free frames on per-CPU lists are unmarked.
TEST(PageBlocks, DoesNotKnowUnmarkedFramesOfProc) {
  Header header;
  EXPECT_EQ(movability(PM_RAM_UNMARKED, header), Movability::kUnmovable);
  header.ram_by = "proc";
  EXPECT_EQ(movability(PM_RAM_UNMARKED, header), Movability::kNotKnown);
}

TEST(PageBlocks, KnowsThatProcHasNoOrders) {
  const PageBlocks blocks = blocks_of(
      "Z: 0, DMA32, 00000000, 1024, 1024, 1024, 612, 0, 1, 2, 3\n"
      "R: 00000000, 512, free, 0, 0, 00000400, 0, 0000003F\n");
  EXPECT_FALSE(blocks.has_orders());
  EXPECT_EQ(blocks.huge_rooms().front().ready, 1u);
}

}  // namespace
}  // namespace physmem
