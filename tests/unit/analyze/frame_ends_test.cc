// SPDX-License-Identifier: MIT
// Where runs of frames end, found for many at once and one by one.
#include "analyzer/analyze/frame_ends.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace physmem {
namespace {

TEST(FrameEnds, AreWhereTheNextFrameIsAnother) {
  const std::vector<std::uint64_t> values{0x1000, 0x2000, 0x4000, 0x5000, 0x5000, 0x4000};
  EXPECT_EQ(frame_ends_portable(values, {}), 0b111010u);
  EXPECT_EQ(frame_ends()(values, {}), 0b111010u);
}

TEST(FrameEnds, LookAtTheFrameOnly) {
  const FrameStep step{0x000FFFFFFFFFF000, 4096};
  const std::vector<std::uint64_t> values{0x8000000000001867, 0x2067, 0x8000000000003025};
  EXPECT_EQ(frame_ends()(values, step), 0b100u);
}

TEST(FrameEnds, AreTheSameFoundEitherWay) {
  std::mt19937_64 random(7);
  for (std::size_t size = 1; size <= 64; ++size)
    for (int round = 0; round < 50; ++round) {
      const FrameStep step{round % 2 == 0 ? ~std::uint64_t{0} : 0xFFFFFFFFFF0000, 65536};
      std::vector<std::uint64_t> values(size);
      values[0] = random();
      for (std::size_t i = 1; i < size; ++i)
        values[i] = values[i - 1] + (random() % 4 == 0 ? random() % 3 * 65536 : 65536);
      EXPECT_EQ(frame_ends()(values, step), frame_ends_portable(values, step)) << size << " values";
    }
}

}  // namespace
}  // namespace physmem
