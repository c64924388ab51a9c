// SPDX-License-Identifier: MIT
#include "program/option_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(OptionValue, ReadsPidsSeparatedByCommas) {
  EXPECT_THAT(parse_pids("1"), Optional(ElementsAre(1u)));
  EXPECT_THAT(parse_pids("2147483647,22,3"), Optional(ElementsAre(2147483647u, 22u, 3u)));
  for (const char* list :
       {"", "1,", ",1", "1,,2", "x", "0", "1 2", " 1", "+1", "-1", "2147483648", "99999999999"})
    EXPECT_FALSE(parse_pids(list)) << list;
}

TEST(OptionValue, ReadsPositiveFiniteDecimals) {
  EXPECT_THAT(parse_positive("8", 8), Optional(8.0));
  EXPECT_THAT(parse_positive("0.25", 8), Optional(0.25));
  for (const char* text :
       {"", "0", "-1", "8.01", "inf", "infinity", "nan", "1e999", "0x1", " 1", "1 ", "1s"})
    EXPECT_FALSE(parse_positive(text, 8)) << text;
}

TEST(OptionValue, FindsTheEndingOfAnUnsupportedFormat) {
  EXPECT_EQ(foreign_ending("snap.txt.gz"), ".gz");
  EXPECT_EQ(foreign_ending("out/snap.csv"), ".csv");
  for (const char* name :
       {"-", "snap", "snap.txt", "snap.pmc.zst", "storm.trace", "gz", "a.gz.zst"})
    EXPECT_EQ(foreign_ending(name), "") << name;
}

TEST(OptionValue, EscapesControlCharactersInMessages) {
  EXPECT_EQ(
      wrong_value("--pid", "1,\x1B[2J", kPidsForm),
      "--pid: found \"1,\\033[2J\", expected process ids separated by commas, such as 1,4711");
}

}  // namespace
}  // namespace physmem
