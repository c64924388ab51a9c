// SPDX-License-Identifier: MIT
#include "collector-proc/maps_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

TEST(MapsLine, ReadsAreaOfFile) {
  const auto area = parse_maps_line(
      "55d0c1a00000-55d0c1a02000 r-xp 00003000 fe:01 1835                       /usr/bin/cat");
  ASSERT_TRUE(area);
  EXPECT_EQ(area->start, 0x55d0c1a00000u);
  EXPECT_EQ(area->end, 0x55d0c1a02000u);
  EXPECT_EQ(area->flags, PM_VMA_READ | PM_VMA_EXEC);
  EXPECT_EQ(area->offset, 0x3000u);
  EXPECT_EQ(area->dev_major, 0xfeu);
  EXPECT_EQ(area->dev_minor, 1u);
  EXPECT_EQ(area->inode, 1835u);
  EXPECT_EQ(area->unit, "/usr/bin/cat");
}

TEST(MapsLine, ReadsAnonymousAreaWithoutUnit) {
  for (const char* line : {"1000-2000 rw-s 00000000 00:00 0", "1000-2000 rw-s 00000000 00:00 0 "}) {
    const auto area = parse_maps_line(line);
    ASSERT_TRUE(area) << line;
    EXPECT_EQ(area->unit, "");
    EXPECT_EQ(area->flags, PM_VMA_READ | PM_VMA_WRITE | PM_VMA_SHARED);
  }
}

TEST(MapsLine, MarksStackAsGrowingDown) {
  EXPECT_EQ(parse_maps_line("1000-2000 rw-p 00000000 00:00 0    [stack]")->flags,
            PM_VMA_READ | PM_VMA_WRITE | PM_VMA_GROWSDOWN);
}

TEST(MapsLine, ReadsAreaInKernelHalf) {
  const auto area =
      parse_maps_line("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]");
  ASSERT_TRUE(area);
  EXPECT_EQ(area->end, 0xffffffffff601000u);
}

TEST(MapsLine, KeepsBlanksCommasAndDeletedInAPath) {
  EXPECT_EQ(parse_maps_line("1000-2000 rw-p 00000000 00:01 9   /tmp/a b, c (deleted)")->unit,
            "/tmp/a b, c (deleted)");
}

TEST(MapsLine, RejectsMalformedLines) {
  for (const char* line :
       {"", "x", "1000", "1000-", "2000-1000 rw-p 0 0:0 0", "1000-1000 rw-p 0 0:0 0",
        "1000-2000 rw 0 0:0 0", "1000-2000 rw-p", "1000-2000 rw-p 0 00 0", "1000-2000 rw-p 0 0:0 x",
        "1000-2000 rw-p 0 0:0 9x", "11112222333344445-2 rw-p 0 0:0 0"})
    EXPECT_FALSE(parse_maps_line(line)) << line;
}

TEST(Maps, DecodesNewlinesEscapedByKernel) {
  AreaList list;
  ASSERT_TRUE(parse_maps("1000-2000 rw-p 00000000 00:01 9   /tmp/a\\012b\\012\n", list));
  EXPECT_EQ(list.areas().at(0).unit, "/tmp/a\nb\n");
}

TEST(Maps, LeavesOutPagesOfTheKernel) {
  AreaList list;
  ASSERT_TRUE(
      parse_maps("1000-2000 r-xp 00000000 00:00 0   [vdso]\n"
                 "ffff0000-ffff1000 r-xp 00000000 00:00 0   [vectors]\n"
                 "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]\n",
                 list));
  ASSERT_EQ(list.areas().size(), 1u);
  EXPECT_EQ(list.areas()[0].unit, "[vdso]");
}

TEST(Maps, ReportsMalformedLine) {
  AreaList list;
  const Status status = parse_maps("1000-2000 rw-p 00000000 00:00 0\nrubbish\n", list);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, Error::Kind::kBadInput);
  EXPECT_THAT(status.error().text, testing::HasSubstr("\"rubbish\""));
}

// The first area grows to 4000 while maps is read. The kernel prints it again, from its old start.
TEST(Maps, SplitsAreaThatGrowsDuringReadWithoutOverlap) {
  AreaList list;
  ASSERT_TRUE(
      parse_maps("1000-2000 r--p 00005000 00:01 9   /a\n"
                 "1000-4000 r--p 00005000 00:01 9   /a\n"
                 "3000-4000 r--p 00000000 00:01 9   /a\n",
                 list));
  ASSERT_EQ(list.areas().size(), 2u);
  EXPECT_EQ(list.areas()[1].start, 0x2000u);
  EXPECT_EQ(list.areas()[1].end, 0x4000u);
  EXPECT_EQ(list.areas()[1].offset, 0x6000u);
}

}  // namespace
}  // namespace physmem::collect
