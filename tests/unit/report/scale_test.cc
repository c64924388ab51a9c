// SPDX-License-Identifier: MIT
#include "analyzer/report/scale.h"

#include <gtest/gtest.h>

namespace physmem {
namespace {

TEST(Scale, UsesStepsOfOneTwoOrFive) {
  EXPECT_DOUBLE_EQ(nice_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(nice_step(11, 10), 2);
  EXPECT_DOUBLE_EQ(nice_step(18124, 9), 5000);
  EXPECT_DOUBLE_EQ(nice_step(3.4, 8), 0.5);
}

TEST(Scale, UsesAPositiveStepForAnyRange) {
  EXPECT_DOUBLE_EQ(nice_step(0, 8), 1);
  EXPECT_DOUBLE_EQ(nice_step(5, 0), 1);
}

TEST(Scale, UsesTheLargestUnitThatBytesFill) {
  EXPECT_STREQ(byte_unit(500).name, "B");
  EXPECT_STREQ(byte_unit(4096).name, "KiB");
  EXPECT_STREQ(byte_unit(5.0 * (1 << 20)).name, "MiB");
  EXPECT_STREQ(byte_unit(1e30).name, "EiB");
}

TEST(Scale, WritesReadableNumbers) {
  EXPECT_EQ(tick_text(20000), "20000");
  EXPECT_EQ(tick_text(0.5), "0.5");
  EXPECT_EQ(tick_text(5e18), "5e+18");
}

}  // namespace
}  // namespace physmem
