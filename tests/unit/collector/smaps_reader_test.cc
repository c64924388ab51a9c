// SPDX-License-Identifier: MIT
#include "collector-proc/smaps_reader.h"

#include <gtest/gtest.h>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

TEST(Smaps, ReadsPageCountsOfEachArea) {
  CountedAreas areas;
  ASSERT_TRUE(parse_smaps(R"(1000-9000 r-xp 00000000 08:01 99      /lib/a
Size:                 32 kB
Rss:                  20 kB
Pss:                  11 kB
Pss_Dirty:             8 kB
Shared_Clean:          8 kB
Shared_Dirty:          4 kB
Private_Clean:         4 kB
Private_Dirty:         4 kB
Swap:                 12 kB
SwapPss:               3 kB
VmFlags: rd ex mr
200000-600000 rw-s 00000000 00:0f 7      /anon_hugepage (deleted)
Rss:                   0 kB
Shared_Hugetlb:     2048 kB
Private_Hugetlb:       0 kB
)",
                          kPageSize, areas));
  ASSERT_EQ(areas.counts.size(), 2u);
  EXPECT_EQ(areas.counts[0].user, 5u);
  EXPECT_EQ(areas.counts[0].single_use, 2u);
  EXPECT_EQ(areas.counts[0].shared, 3u);
  EXPECT_EQ(areas.counts[0].swapped, 3u);
  EXPECT_EQ(areas.list.areas()[0].unit, "/lib/a");
  EXPECT_EQ(areas.counts[1].user, 512u);
  EXPECT_EQ(areas.counts[1].shared, 512u);
}

TEST(Smaps, RejectsOtherText) {
  CountedAreas areas;
  EXPECT_FALSE(parse_smaps("hello\n", kPageSize, areas));
  // A field before the first area is ignored.
  EXPECT_TRUE(parse_smaps("Rss: 4 kB\n", kPageSize, areas));
  EXPECT_TRUE(areas.counts.empty());
}

}  // namespace
}  // namespace physmem::collect
