// SPDX-License-Identifier: MIT
#include "analyzer/model/swap_slots.h"

#include <gtest/gtest.h>

#include <vector>

namespace physmem {
namespace {

/// Entries for slots [first, end) of a device.
SwapSlots slots(std::uint64_t device, std::uint64_t first, std::uint64_t end) {
  std::vector<SwapEntry> entries;
  for (std::uint64_t slot = first; slot < end; ++slot)
    entries.push_back({slot * 4096, device, slot});
  SwapSlots slots;
  slots.add(entries);
  return slots;
}

TEST(SwapSlots, CountsASharedSlotOnce) {
  SwapSlots group = slots(0, 10, 20);
  group += slots(0, 15, 25);
  group += slots(0, 12, 14);
  group += slots(1, 10, 20);
  EXPECT_EQ(group.entries(), 32u);
  EXPECT_EQ(group.distinct(), 25u);
  EXPECT_EQ(SwapSlots().distinct(), 0u);
}

TEST(SwapSlots, KeepsARunOfAscendingSlotsTogether) {
  EXPECT_EQ(slots(0, 0, 1000).runs().size(), 1u);
}

TEST(SwapShares, DivideASlotByItsEntries) {
  const SwapSlots parent = slots(0, 10, 20);
  const SwapSlots child = slots(0, 15, 25);
  const SwapSlots other = slots(1, 15, 18);
  SwapSlots all = parent;
  all += child;
  all += other;
  const SwapShares shares(all);
  EXPECT_DOUBLE_EQ(shares.of(parent).pages(), 7.5);
  EXPECT_DOUBLE_EQ(shares.of(child).pages(), 7.5);
  EXPECT_DOUBLE_EQ(shares.of(other).pages(), 3);
  EXPECT_DOUBLE_EQ(shares.of(all).pages(), 18) << "the shares of all are the distinct slots";
}

}  // namespace
}  // namespace physmem
