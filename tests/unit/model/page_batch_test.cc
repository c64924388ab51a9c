// SPDX-License-Identifier: MIT
#include "analyzer/model/page_batch.h"

#include <gtest/gtest.h>

#include <string>

namespace physmem {
namespace {

constexpr std::uint64_t kPage = 4096;

std::string runs(const PageBatch& batch) {
  std::string text;
  for (const PageRun& run : batch.runs())
    text += std::to_string(run.va / kPage) + "+" + std::to_string(run.pages) + " ";
  return text;
}

PageBatch of_three_runs() {
  PageBatch batch;
  batch.add({1 * kPage, 7 * kPage, 2, 1, 0x68});
  batch.add({3 * kPage, 9 * kPage, 3, 1, 0x68});   // extends the run
  batch.add({6 * kPage, 12 * kPage, 1, 2, 0x68});  // another use count
  batch.add({7 * kPage, 14 * kPage, 4, 2, 0x68});  // another frame
  return batch;
}

TEST(PageBatch, ExtendsARunByAdjacentPages) {
  const PageBatch batch = of_three_runs();
  EXPECT_EQ(batch.sums.pages, 10u);
  EXPECT_EQ(runs(batch), "1+5 6+1 7+4 ");
}

TEST(PageBatch, CanBeCutAtAnyPage) {
  for (const auto& [n, expected] :
       {std::pair(10, "1+5 6+1 7+4 "), std::pair(7, "1+5 6+1 7+1 "), std::pair(6, "1+5 6+1 "),
        std::pair(5, "1+5 "), std::pair(1, "1+1 "), std::pair(0, "")}) {
    PageBatch batch = of_three_runs();
    batch.cut(static_cast<std::uint64_t>(n));
    EXPECT_EQ(runs(batch), expected);
    EXPECT_EQ(batch.sums.pages, static_cast<std::uint64_t>(n));
  }
}

TEST(PageRun, ExpandsIntoItsPages) {
  const PageBatch batch = of_three_runs();
  std::string text;
  for_each_page(batch.runs(), kPage, [&](const PageRun& page) {
    text += std::to_string(page.va / kPage) + "=" + std::to_string(page.value / kPage) + " ";
    EXPECT_EQ(page.pages, 1u);
  });
  EXPECT_EQ(text, "1=7 2=8 3=9 4=10 5=11 6=12 7=14 8=15 9=16 10=17 ");
}

}  // namespace
}  // namespace physmem
