// SPDX-License-Identifier: MIT
#include "tools/monitor/profile_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace physmem::monitor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_of(std::string_view text) {
  const auto reading = parse_profile_text(text, "p.data");
  return reading ? "" : reading.error().text;
}

TEST(ProfileText, MatchesTheFormatOfTheAssignment) {
  std::ostringstream out;
  write_text(out, {{4294937296, 12, 0, 3}, {4294937309, 0, 7, 133000000}, {-5, 0, 0, 0}});
  EXPECT_EQ(out.str(),
            "4294937296 12 0 3\n4294937309 0 7 133000000\n-5 0 0 0\nread 3 profiled data\n");
  out.str("");
  write_text(out, {});
  EXPECT_EQ(out.str(), "read 0 profiled data\n");
}

TEST(ProfileText, ReadsBackWhatItWrote) {
  const std::vector<Sample> samples = {{1, 2, 3, 4},
                                       {-9223372036854775807, 0, 0, 9223372036854775807}};
  std::ostringstream out;
  write_text(out, samples);
  const auto reading = parse_profile_text(out.str(), "p.data");
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->samples, samples);
  EXPECT_TRUE(reading->has_end);
}

TEST(ProfileText, AcceptsOtherBlanksAndAMissingEnd) {
  const auto reading = parse_profile_text("1 2 3 4\r\n\n  5\t6 7 8", "p.data");
  ASSERT_TRUE(reading);
  EXPECT_THAT(reading->samples, ElementsAre(Sample{1, 2, 3, 4}, Sample{5, 6, 7, 8}));
  EXPECT_FALSE(reading->has_end);
  EXPECT_THAT(parse_profile_text("", "p.data")->samples, IsEmpty());
}

TEST(ProfileText, ReportsTheLineOfAnError) {
  EXPECT_THAT(error_of("1 2 3 4\n1 2 3\n"),
              HasSubstr("p.data:2: found \"1 2 3\", expected four whole numbers"));
  EXPECT_THAT(error_of("1 2 3 4 5\n"), HasSubstr("p.data:1: "));
  EXPECT_THAT(error_of("1 2 3 4.5\n"), HasSubstr("p.data:1: "));
  EXPECT_THAT(error_of("1 2 3 99999999999999999999\n"), HasSubstr("p.data:1: "));
  EXPECT_THAT(error_of("#!/bin/sh\n"), HasSubstr("this is not a profile"));
  EXPECT_THAT(error_of("1 2 3 4\nread 2 profiled data\n"),
              HasSubstr("expected as many samples as there are: 1"));
  EXPECT_THAT(error_of("read 0 profiled data\n1 2 3 4\n"), HasSubstr("expected nothing after"));
  EXPECT_THAT(error_of(std::string(500, 'x')), HasSubstr("…"));
}

TEST(ProfileCsv, HasAHeaderAndUnits) {
  std::ostringstream out;
  write_csv(out, Profile({{1050, 3, 0, 25}, {1000, 2, 1, 50}}, 1000, CpuUnit::kJiffies));
  EXPECT_EQ(out.str(),
            "Time s,Jiffies,Minor faults,Major faults,CPU s,CPU %\n"
            "0.000,1000,2,1,0.050000,100.00\n"
            "0.050,1050,3,0,0.025000,50.00\n");
}

TEST(ProfileCsv, WritesTotalsOneLinePerProfile) {
  std::ostringstream out;
  write_totals_csv(out,
                   {{"5", Profile({{1000, 2, 1, 50}, {1050, 3, 0, 25}}, 1000, CpuUnit::kJiffies)},
                    {"11", Profile({}, 1000, CpuUnit::kJiffies)}});
  EXPECT_EQ(out.str(),
            "N,CPU %,Completion s,Minor faults,Major faults\n"
            "5,75.00,0.100,5,1\n"
            "11,0.00,0.000,0,0\n");
}

TEST(ProfileCsv, QuotesALabelWithAComma) {
  std::ostringstream out;
  write_totals_csv(out, {{"R,\"L\"", Profile({}, 1000, CpuUnit::kJiffies)}});
  EXPECT_THAT(out.str(), HasSubstr("\n\"R,\"\"L\"\"\",0.00,0.000,0,0\n"));
}

}  // namespace
}  // namespace physmem::monitor
