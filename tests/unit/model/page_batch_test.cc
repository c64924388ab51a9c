// SPDX-License-Identifier: MIT
#include "analyzer/model/page_batch.h"

#include <gtest/gtest.h>

#include <string>

namespace physmem {
namespace {

std::string stretches(const PageBatch& batch) {
  std::string text;
  batch.for_each_stretch([&](std::size_t first, std::size_t end) {
    text += std::to_string(first) + "-" + std::to_string(end) + " ";
  });
  return text;
}

PageBatch of_three_stretches() {
  PageBatch batch;
  batch.add_alike(2, 1, 0x68);
  batch.add_alike(3, 1, 0x68);  // as the ones before
  batch.add_alike(1, 2, 0x68);
  batch.add_alike(4, 2, 0x28);
  return batch;
}

TEST(PageBatch, KnowsWhichNeighboursAreAlike) {
  const PageBatch batch = of_three_stretches();
  EXPECT_EQ(batch.size, 10u);
  EXPECT_EQ(stretches(batch), "0-5 5-6 6-10 ");
  EXPECT_EQ(batch.count[5], 2u);
  EXPECT_EQ(batch.flags[9], 0x28u);
}

TEST(PageBatch, IsCutAnywhere) {
  for (const auto& [n, expected] :
       {std::pair(10, "0-5 5-6 6-10 "), std::pair(7, "0-5 5-6 6-7 "), std::pair(6, "0-5 5-6 "),
        std::pair(5, "0-5 "), std::pair(1, "0-1 "), std::pair(0, "")}) {
    PageBatch batch = of_three_stretches();
    batch.cut(static_cast<std::size_t>(n));
    EXPECT_EQ(stretches(batch), expected);
    EXPECT_EQ(batch.size, static_cast<std::size_t>(n));
  }
}

}  // namespace
}  // namespace physmem
