// SPDX-License-Identifier: MIT
// Assigns lines of /proc/swaps to swap types, only if the assignment is certain.
#include "paging/source/swap_areas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/paging/source/proc_fixture.h"

namespace physmem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kPage = 4096;
const std::string kHead = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

/// A line of /proc/swaps. The default size is 100 pages.
std::string line(const std::string& name, const std::string& type = "partition", int pages = 100) {
  return name + "                                " + type + "\t" + std::to_string(pages * 4) +
         "\t\t0\t\t-2\n";
}

struct Areas {
  explicit Areas(const std::string& swaps) {
    proc.write("proc/swaps", kHead + swaps);
    areas.emplace(proc.root(), kPage);
    areas->refresh(1000);
  }
  void saw(std::initializer_list<std::uint8_t> types, std::uint64_t slot = 1) {
    for (const std::uint8_t type : types) areas->saw(type, slot, 2000);
  }
  std::string names() const {
    std::string text;
    for (const SwapArea& area : areas->areas())
      text += std::to_string(area.type) + "=" + area.name + " ";
    return text;
  }
  ProcFixture proc;
  std::optional<SwapAreas> areas;
};

TEST(SwapLines, AreReadWithKindsSizesAndEscapedNames) {
  EXPECT_THAT(
      parse_swaps(kHead + line("/dev/vda2") + line("/a\\040b\\011c\\134", "file", 7), kPage),
      ElementsAre(SwapLine{"/dev/vda2", false, 100}, SwapLine{"/a b\tc\\", true, 7}));
  EXPECT_THAT(parse_swaps("", kPage), IsEmpty());
}

TEST(SwapAreas, NamesNoAreaBeforeTheFirstEvent) {
  Areas one(line("/dev/vda"));
  EXPECT_EQ(one.names(), "");
  EXPECT_EQ(one.areas->sector_of(0, 1), std::nullopt);
}

TEST(SwapAreas, IdentifiesASingleAreaByItsFirstEventOfAnyType) {
  Areas one(line("/dev/vda"));
  one.saw({5});
  EXPECT_EQ(one.names(), "5=/dev/vda ");
  EXPECT_EQ(one.areas->sector_of(5, 0x10), 0x80u);
  EXPECT_EQ(one.areas->sector_of(4, 0x10), std::nullopt);
}

TEST(SwapAreas, IdentifiesTypesFromZeroBeforeTheOthersAreSeen) {
  Areas three(line("/dev/vda") + line("/dev/vdb") + line("/dev/vdc"));
  three.saw({0});
  EXPECT_EQ(three.names(), "0=/dev/vda ");
  three.saw({1});
  EXPECT_EQ(three.names(), "0=/dev/vda 1=/dev/vdb ");
}

/// Type 1 is the first line after a swapoff of type 0, and the second line without a swapoff.
TEST(SwapAreas, NamesNoAreaIfTwoLinesArePossible) {
  Areas two(line("/dev/vda") + line("/dev/vdb"));
  two.saw({1});
  EXPECT_EQ(two.names(), "");
  EXPECT_EQ(two.areas->sector_of(1, 1), std::nullopt);
  two.saw({2});
  EXPECT_EQ(two.names(), "1=/dev/vda 2=/dev/vdb ");
}

TEST(SwapAreas, DistinguishesLinesByTheirSizes) {
  Areas two(line("/dev/vda", "partition", 10) + line("/dev/vdb", "partition", 100));
  two.saw({1}, 10);
  EXPECT_EQ(two.names(), "");
  two.saw({1}, 11);
  EXPECT_EQ(two.names(), "1=/dev/vdb ");
}

TEST(SwapAreas, DropsTypesWhenTheListChanges) {
  Areas one(line("/dev/vda"));
  one.saw({0});
  EXPECT_EQ(one.areas->changes(), 1u);
  one.proc.write("proc/swaps", kHead + line("/dev/vdb"));
  one.areas->refresh(3000);
  EXPECT_EQ(one.names(), "");
  one.saw({0});  // the event is from time 2000, with the old list
  EXPECT_EQ(one.names(), "");
  one.areas->saw(0, 1, 3001);
  EXPECT_EQ(one.names(), "0=/dev/vdb ");
  EXPECT_EQ(one.areas->changes(), 3u);
}

TEST(SwapAreas, KeepsTypesWhileTheListIsUnchanged) {
  Areas one(line("/dev/vda"));
  one.saw({0});
  one.areas->refresh(3000);
  EXPECT_EQ(one.names(), "0=/dev/vda ");
  one.areas->refresh(4000, SwapAreas::Reading::kForced);
  EXPECT_EQ(one.names(), "");
}

TEST(SwapAreas, IsOutdatedWhenMoreTypesThanLinesAreSeen) {
  Areas one(line("/dev/vda"));
  one.saw({0});
  EXPECT_FALSE(one.areas->is_outdated());
  one.saw({1});
  EXPECT_TRUE(one.areas->is_outdated());
  EXPECT_EQ(one.names(), "");
  one.proc.write("proc/swaps", kHead + line("/dev/vda") + line("/dev/zram0"));
  one.areas->refresh(3000);
  one.areas->saw(0, 1, 3001);
  one.areas->saw(1, 1, 3002);
  EXPECT_EQ(one.names(), "0=/dev/vda 1=/dev/zram0 ");
  EXPECT_EQ(one.areas->kind_of(1), SwapAreaKind::kZram);
}

TEST(SwapAreas, GivesNoSectorOutsideAnArea) {
  Areas one(line("/dev/vda", "partition", 100));
  one.saw({0}, 100);
  EXPECT_EQ(one.areas->sector_of(0, 100), 800u);
  EXPECT_EQ(one.areas->sector_of(0, 101), std::nullopt);
}

TEST(SwapExtents, MapSlotsToSectors) {
  const SwapExtents extents({{0, 40960, 8192}, {8192, 409600, 4096}}, kPage);
  EXPECT_EQ(extents.sector_of(0), 80u);
  EXPECT_EQ(extents.sector_of(1), 88u);
  EXPECT_EQ(extents.sector_of(2), 800u);
  EXPECT_EQ(extents.sector_of(3), std::nullopt);
  EXPECT_EQ(extents.sector_of(~std::uint64_t{0}), std::nullopt);
}

/// The kernel gives unaligned parts no slots, so all later slots have other numbers.
TEST(SwapExtents, EndBeforeUnalignedExtents) {
  EXPECT_EQ(SwapExtents({{0, 4096, 4096}, {4096, 10240, 8192}}, kPage).sector_of(1), std::nullopt);
  EXPECT_EQ(SwapExtents({{0, 4096, 4096}, {8192, 81920, 8192}}, kPage).sector_of(2), std::nullopt);
  EXPECT_EQ(SwapExtents({{0, 4096, 6144}, {6144, 81920, 8192}}, kPage).sector_of(2), std::nullopt);
  EXPECT_EQ(SwapExtents({{0, 4096, 6144}}, kPage).sector_of(1), std::nullopt);
}

TEST(SwapExtents, AreEmptyForASpecialFile) {
  const std::optional<SwapExtents> special = extents_of("/proc/self/status", kPage);
  ASSERT_TRUE(special);
  EXPECT_EQ(special->sector_of(0), std::nullopt);
  EXPECT_FALSE(extents_of("/nowhere/at/all", kPage));
}

}  // namespace
}  // namespace physmem
