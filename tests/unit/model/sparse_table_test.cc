// SPDX-License-Identifier: MIT
#include "analyzer/model/sparse_table.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

namespace physmem {
namespace {

using Table = SparseTable<int, 4>;

std::vector<std::pair<std::uint64_t, int>> cells_of(const Table& table) {
  std::vector<std::pair<std::uint64_t, int>> cells;
  table.for_each_chunk([&](std::uint64_t first, const auto& chunk) {
    for (std::size_t i = 0; i < chunk.size(); ++i)
      if (chunk[i] != 0) cells.emplace_back(first + i, chunk[i]);
  });
  return cells;
}

TEST(SparseTable, KeepsCellsInPageOrder) {
  Table table;
  const std::uint64_t last = ~std::uint64_t{0};
  table[last] = 5;
  table[7] = 2;
  table[std::uint64_t{1} << 22] = 4;        // the first page outside the two-level directory
  table[(std::uint64_t{1} << 22) - 1] = 3;  // the last page inside
  table[0] = 1;
  EXPECT_EQ(cells_of(table), (std::vector<std::pair<std::uint64_t, int>>{
                                 {0, 1}, {7, 2}, {(1 << 22) - 1, 3}, {1 << 22, 4}, {last, 5}}));
}

TEST(SparseTable, HasZerosInTheChunkOfACellAndNothingElsewhere) {
  Table table;
  EXPECT_EQ(table.find(0), nullptr);
  table[6] = 9;
  ASSERT_NE(table.find(5), nullptr);
  EXPECT_EQ(*table.find(5), 0);
  EXPECT_EQ(*table.find(6), 9);
  EXPECT_EQ(table.find(8), nullptr);
  EXPECT_EQ(table.find(std::uint64_t{1} << 60), nullptr);
}

TEST(FrameSet, CountsNewFramesAsStdSetDoes) {
  for (const std::uint64_t expected : {0, 1, 5000, 100000}) {
    std::mt19937_64 random(3);
    FrameSet frames;
    if (expected != 0) frames.expect(expected);
    std::set<std::uint64_t> reference;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t first = random() % 3 == 0 ? random() >> 1 : random() % 9000;
      const std::uint64_t n = 1 + (random() % 4 == 0 ? random() % 200 : random() % 3);
      std::uint64_t added = 0;
      for (std::uint64_t k = 0; k < n; ++k) added += reference.insert(first + k).second ? 1 : 0;
      frames.prefetch(first);
      ASSERT_EQ(frames.insert(first, n), added) << first << ", " << n;
    }
  }
}

TEST(FrameSet, ErasesFrames) {
  FrameSet frames;
  frames.expect(256);
  for (const std::uint64_t first : {std::uint64_t{60}, std::uint64_t{1} << 40}) {
    frames.insert(first, 200);
    frames.erase(first + 2, 130);
    EXPECT_EQ(frames.insert(first, 200), 130u);
    frames.erase(first, 200);
    EXPECT_EQ(frames.insert(first, 200), 200u);
  }
}

TEST(FrameSet, LimitsItsSizeIndependentlyOfTheHeader) {
  FrameSet frames;
  frames.expect(std::uint64_t{1} << 52);
  EXPECT_LE(frames.expected_bytes(), (std::uint64_t{32} << 20) + 8);
  EXPECT_EQ(frames.insert(std::uint64_t{1} << 51), 1u);
  EXPECT_EQ(frames.insert(std::uint64_t{1} << 51), 0u);
}

}  // namespace
}  // namespace physmem
