// SPDX-License-Identifier: MIT
// What RAM is used for by the kernel's totals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/ram/memory_totals.h"

namespace physmem {
namespace {

using testing::ElementsAre;

MemoryTotals totals_of(const std::vector<Counter>& counters) {
  MemoryTotals totals;
  totals.on_header({});
  totals.on_counters(counters);
  return totals;
}

TEST(MemoryTotals, AddUpToTheWhole) {
  const MemoryTotals totals = totals_of({{"mem.MemTotal_kB", 1000},
                                         {"mem.MemFree_kB", 300},
                                         {"mem.AnonPages_kB", 200},
                                         {"mem.Cached_kB", 250},
                                         {"mem.Buffers_kB", 10},
                                         {"mem.Shmem_kB", 60},
                                         {"mem.Slab_kB", 70},
                                         {"mem.KernelStack_kB", 5},
                                         {"mem.SwapTotal_kB", 100},
                                         {"mem.SwapFree_kB", 90}});
  EXPECT_THAT(*totals.parts(), ElementsAre(200u, 60u, 200u, 75u, 165u, 300u));
  EXPECT_EQ(totals.swap_used(), 10u);
}

TEST(MemoryTotals, AreNoLargerThanRamIfTheyOverlap) {
  const MemoryTotals totals = totals_of({{"mem.MemTotal_kB", 1000},
                                         {"mem.MemFree_kB", 400},
                                         {"mem.AnonPages_kB", 900},
                                         {"mem.Slab_kB", 300},
                                         {"mem.Shmem_kB", 5}});
  EXPECT_THAT(*totals.parts(), ElementsAre(295u, 5u, 0u, 300u, 0u, 400u));
}

TEST(MemoryTotals, AreUnknownWithoutCounters) {
  EXPECT_FALSE(totals_of({}).total());
  EXPECT_FALSE(totals_of({}).parts());
}

/// A /proc that shows only processes: the size of RAM is from sysinfo().
TEST(MemoryTotals, HaveNoPartsIfOnlyTheSizeIsKnown) {
  const MemoryTotals totals = totals_of({{"mem.MemTotal_kB", 1000}, {"mem.SwapTotal_kB", 100}});
  EXPECT_EQ(totals.total(), 1000U);
  EXPECT_FALSE(totals.parts());
}

}  // namespace
}  // namespace physmem
