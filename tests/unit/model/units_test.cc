// SPDX-License-Identifier: MIT
#include "analyzer/model/units.h"

#include <gtest/gtest.h>

#include "analyzer/model/header.h"

namespace physmem {
namespace {

TEST(PageSize, ComesFromTheSnapshotNotFromThisMachine) {  // I10, I26
  constexpr PageSize kLarge{65536};
  EXPECT_EQ(kLarge.shift(), 16u);
  EXPECT_EQ(kLarge.kib(3), 192u);
  EXPECT_EQ(PageSize{4096}.kib(439), 1756u);
}

TEST(PageSize, RoundsPartsOfAPageUp) {
  EXPECT_EQ(PageSize{4096}.pages(0), 0u);
  EXPECT_EQ(PageSize{4096}.pages(1), 1u);
  EXPECT_EQ(PageSize{4096}.pages(4096), 1u);
  EXPECT_EQ(PageSize{4096}.pages(4097), 2u);
  EXPECT_EQ(PageSize{4096}.pages(~std::uint64_t{0}), std::uint64_t{1} << 52) << "no overflow";
}

TEST(PageShare, AddsUpToOnePageWithinItsBound) {
  for (std::uint64_t n = 1; n < 5000; ++n) {
    PageShare sum;
    for (std::uint64_t i = 0; i < n; ++i) sum += PageShare::of(n);
    ASSERT_LE(sum.scaled, std::uint64_t{1} << 32);
    ASSERT_LT((std::uint64_t{1} << 32) - sum.scaled, n);
  }
}

TEST(PageShare, IsAWholePageForUseCountZero) {
  EXPECT_EQ(PageShare::of(0).pages(), 1.0);
}

TEST(Header, ExtractsTheFrameFromAPageTableValue) {
  const Header version1;
  EXPECT_EQ(version1.frame(0x02876012), 0x2876u);
  Header header;
  header.phys_mask = 0x000FFFFFFFFFF000;
  EXPECT_EQ(header.frame(0x8000000123456867), 0x123456u);
}

}  // namespace
}  // namespace physmem
