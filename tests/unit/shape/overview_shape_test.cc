// SPDX-License-Identifier: MIT
#include "analyzer/shape/overview_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace physmem {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines_of(const std::vector<Counter>& counters) {
  MemoryTotals totals;
  totals.on_header({});
  totals.on_counters(counters);
  return memory_lines(totals);
}

TEST(MemoryLines, SayWhatIsUsedAndWhatCanBeFreed) {
  EXPECT_THAT(lines_of({{"mem.MemTotal_kB", 1000},
                        {"mem.MemFree_kB", 400},
                        {"mem.MemAvailable_kB", 700},
                        {"mem.AnonPages_kB", 200},
                        {"mem.Cached_kB", 300},
                        {"mem.Shmem_kB", 50}}),
              ElementsAre("#anonymous 200 KiB   %shared memory 50 KiB   =file cache 250 KiB",
                          "+kernel 0 KiB   -other 100 KiB   .free 400 KiB",
                          "RAM 1000 KiB, 700 KiB available; of 600 KiB used, 300 KiB can be freed; "
                          "no swap"));
}

/// Linux keeps a reserve, so less may be available than is free.
TEST(MemoryLines, CanFreeNothingIfLessIsAvailableThanIsFree) {
  EXPECT_THAT(
      lines_of({{"mem.MemTotal_kB", 1000}, {"mem.MemFree_kB", 400}, {"mem.MemAvailable_kB", 300}})
          .back(),
      "RAM 1000 KiB, 300 KiB available; of 600 KiB used, 0 KiB can be freed; no swap");
}

TEST(MemoryLines, NameHugePagesAndCompressedSwap) {
  const auto lines = lines_of({{"vm.nr_zspages", 100},
                               {"mem.MemTotal_kB", 4000},
                               {"mem.MemFree_kB", 400},
                               {"mem.SwapTotal_kB", 2000},
                               {"mem.SwapFree_kB", 500},
                               {"mem.Zswapped_kB", 80},
                               {"mem.Hugetlb_kB", 2048},
                               {"swap.zram_used_kB", 1200}});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2], "Of other: hugetlb 2.0 MiB, compressed 400 KiB (1.2 MiB of swap, 3.2 : 1)");
  EXPECT_THAT(lines[3], testing::EndsWith("; swap 2.0 MiB, 1.5 MiB used"));
}

TEST(MemoryLines, SayThatTheyKnowNothing) {
  EXPECT_THAT(lines_of({{"mem.MemTotal_kB", 1000}}),
              ElementsAre("RAM 1000 KiB, what it is used for is unknown; no swap"));
  EXPECT_THAT(lines_of({}), ElementsAre("RAM: unknown, the snapshot has no totals of the kernel"));
}

}  // namespace
}  // namespace physmem
