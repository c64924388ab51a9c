// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "analyzer/report/share_bar_text.h"

namespace physmem {
namespace {

TEST(ShareBar, HasCellsForShares) {
  EXPECT_EQ(share_bar_text({{{'a', 50}, {'f', 30}, {'.', 20}}}, 12, 0), "[aaaaafff..]");
}

TEST(ShareBar, HasACellForASmallShare) {
  EXPECT_EQ(share_bar_text({{{'a', 1}, {'f', 1000}, {'s', 0}}}, 12, 0), "[afffffffff]");
}

TEST(ShareBar, FitsWithMorePartsThanCells) {
  EXPECT_EQ(share_bar_text({{{'a', 1}, {'f', 1}, {'s', 1}}}, 4, 0).size(), 4u);
  EXPECT_EQ(share_bar_text({{{'a', 0}, {'f', 0}}}, 4, 0), "[]");
}

TEST(ShareBar, ColoursLettersOnRequest) {
  EXPECT_EQ(share_bar_text({{{'a', 1}, {'f', 1}}}, 4, 256),
            "[\033[30;48;5;75ma\033[0m\033[30;48;5;114mf\033[0m]");
  EXPECT_EQ(share_bar_text({{{'a', 1}, {'f', 1}}}, 4, 8),
            "[\033[30;46ma\033[0m\033[30;42mf\033[0m]");
}

}  // namespace
}  // namespace physmem
