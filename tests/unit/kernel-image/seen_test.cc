// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/unit/kernel-image/walkers.h"

namespace physmem::crash {
namespace {

class Seen : public testing::Test {
 protected:
  ~Seen() override { pm_seen_free(&seen); }
  pm_seen seen{};
};

TEST_F(Seen, IsInitiallyEmpty) {
  EXPECT_FALSE(pm_seen_has(&seen, 0));
  pm_seen_clear(&seen);
  EXPECT_FALSE(pm_seen_has(&seen, 0xFFFF888000001000));
}

TEST_F(Seen, RejectsAddressUnderAnotherName) {
  EXPECT_TRUE(pm_seen_add(&seen, 0x1000, 7));
  EXPECT_TRUE(pm_seen_add(&seen, 0x1000, 7));
  EXPECT_FALSE(pm_seen_add(&seen, 0x1000, 8));
  EXPECT_TRUE(pm_seen_has(&seen, 0x1000));
  EXPECT_FALSE(pm_seen_has(&seen, 0x1001));
  EXPECT_EQ(seen.used, 1u);
}

TEST_F(Seen, GivesAnAddressANewName) {
  EXPECT_TRUE(pm_seen_set(&seen, 0x1000, 7));
  EXPECT_TRUE(pm_seen_set(&seen, 0x1000, 8));
  __u64 name = 0;
  EXPECT_TRUE(pm_seen_name(&seen, 0x1000, &name));
  EXPECT_EQ(name, 8u);
  EXPECT_EQ(seen.used, 1u);
}

TEST_F(Seen, AcceptsAddressZero) {
  EXPECT_TRUE(pm_seen_add(&seen, 0, 1));
  EXPECT_TRUE(pm_seen_has(&seen, 0));
  EXPECT_FALSE(pm_seen_add(&seen, 0, 2));
}

TEST_F(Seen, RejectsLastAddress) {
  EXPECT_FALSE(pm_seen_add(&seen, ~std::uint64_t{0}, 1));
  EXPECT_EQ(seen.used, 0u);
}

TEST_F(Seen, KeepsAllAddressesWhenGrowing) {
  for (std::uint64_t i = 0; i < 100000; ++i) EXPECT_TRUE(pm_seen_add(&seen, i * 4096, i));
  for (std::uint64_t i = 0; i < 100000; ++i) {
    EXPECT_TRUE(pm_seen_has(&seen, i * 4096));
    EXPECT_FALSE(pm_seen_has(&seen, i * 4096 + 1));
    EXPECT_FALSE(pm_seen_add(&seen, i * 4096, i + 1));
  }
  pm_seen_clear(&seen);
  EXPECT_FALSE(pm_seen_has(&seen, 4096));
  EXPECT_TRUE(pm_seen_add(&seen, 4096, 9));
}

}  // namespace
}  // namespace physmem::crash
