// SPDX-License-Identifier: MIT
#include "program/moment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace physmem {
namespace {

/// Sets the time zone for one test.
class MomentTest : public testing::Test {
 protected:
  MomentTest() { set_zone("UTC0"); }
  ~MomentTest() override { set_zone("UTC0"); }
  static void set_zone(const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  static std::optional<std::int64_t> at(std::string_view text, std::int64_t latest) {
    const auto moment = parse_moment(text);
    return moment ? seconds_of(*moment, latest) : std::nullopt;
  }
};

constexpr std::int64_t kNoon = 1'763'726'400;  // 2025-11-21 12:00 UTC
constexpr std::int64_t kHour = 3600;

TEST_F(MomentTest, IsTheLastSuchTime) {
  EXPECT_EQ(at("12:00", kNoon), kNoon);
  EXPECT_EQ(at("03:00", kNoon), kNoon - 9 * kHour);
  EXPECT_EQ(at("3:00:15", kNoon), kNoon - 9 * kHour + 15);
  EXPECT_EQ(at("23:30", kNoon), kNoon - 12 * kHour - 1800) << "the day before";
}

TEST_F(MomentTest, MayHaveADate) {
  EXPECT_EQ(at("2025-11-20 12:00", kNoon), kNoon - 24 * kHour);
  EXPECT_EQ(at("2025-11-22T12:00", kNoon), kNoon + 24 * kHour) << "also a later one";
  EXPECT_EQ(at("2025-02-30 12:00", kNoon), std::nullopt);
}

TEST_F(MomentTest, IsLocal) {
  set_zone("CET-1");
  EXPECT_EQ(at("12:00", kNoon), kNoon - kHour);
}

TEST_F(MomentTest, HasTextsWithItsZone) {
  set_zone("CET-1");
  EXPECT_EQ(clock_text(kNoon + 15), "13:00:15");
  EXPECT_EQ(date_text(kNoon), "2025-11-21 13:00:00 CET");
}

TEST_F(MomentTest, FindsTheLatestTimeUpToIt) {
  const auto index = [](const std::string& text, const std::vector<std::int64_t>& times) {
    return index_at(*parse_moment(text), times);
  };
  const std::vector<std::int64_t> times{kNoon, kNoon + 60, kNoon + 120};
  EXPECT_EQ(*index("2025-11-21 12:00", times), 0U);
  EXPECT_EQ(*index("2025-11-21 12:01:59", times), 1U);
  EXPECT_EQ(*index("2025-11-22 12:00", times), 2U);
  EXPECT_EQ(*index("12:01", times), 1U);
  EXPECT_EQ(*index("2025-11-21 12:01", {kNoon, kNoon + 60, kNoon + 30}), 1U) << "set back";
  EXPECT_EQ(index("11:59", times).error().text,
            "found 2025-11-21 11:59:00 UTC, expected a time from 2025-11-21 12:00:00 UTC on, where "
            "the recording begins");
  EXPECT_EQ(index("2025-02-30 12:00", times).error().text, "there is no such day");
}

TEST_F(MomentTest, RefusesOtherTexts) {
  for (const char* text :
       {"", "3", "03:", "24:00", "03:60", "03:00:61", "03:00 ", "-1:00", "x", "2025-11-20",
        "2025-13-01 03:00", "2025-00-01 03:00", "2025-01-00 03:00", "03:00:00:00", "2025-11-20 "})
    EXPECT_FALSE(parse_moment(text)) << text;
}

}  // namespace
}  // namespace physmem
