// SPDX-License-Identifier: MIT
// A sum above 2^63 is an error that names the host.
#include "fleet/ask/too_large.h"

#include <gmock/gmock.h>

#include "program/exit.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kHalfKib = std::uint64_t{1} << 52;  ///< two of them are 2^63 bytes
constexpr const char* kError =
    "a sum of sizes is above 2^63 bytes; the largest sizes are those of host host-wrong "
    "(physmem-fleet remove --host wrong removes its reports)";

Report class_report(const std::string& machine, std::uint64_t second, std::uint64_t bytes) {
  Report report = unit_report(machine, second, 4);
  report.snapshot.has_ledger = 1;
  report.of(FactTable::kClasses).push_back({{"free"}, {bytes, {}}});
  return report;
}

class TooLargeSum : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    add({class_report("a", 0, 4096), class_report("b", kDay, 8192)});
  }
  std::string error_of(const Asked& asked) {
    const auto found = answer_of(asked);
    if (found) return "";
    EXPECT_EQ(exit_of(found.error().kind), Exit::kBadInput);
    return found.error().text;
  }
  const std::vector<NamePattern> libc_{*NamePattern::parse("/lib/libc.so.6")};
};

TEST_F(TooLargeSum, OfOneHostNamesIt) {
  add({unit_report("wrong", 1, kHalfKib), unit_report("wrong", 2, kHalfKib)});
  EXPECT_EQ(error_of({.question = "units"}), kError);
  EXPECT_EQ(error_of({.question = "trend"}), kError);
  EXPECT_EQ(error_of({.question = "trend", .units = libc_}), kError);
  EXPECT_EQ(error_of({.question = "changes", .since = kDayOne + kDay}), kError);
  EXPECT_EQ(error_of({.question = "hosts"}), "");
  EXPECT_EQ(error_of({.question = "units", .since = kDayOne + kDay}), "");
  EXPECT_EQ(error_of({.question = "units", .hosts = {*NamePattern::parse("host-[ab]")}}), "");
}

TEST_F(TooLargeSum, BelowTheLimitIsAnswered) {
  add({unit_report("wrong", 1, kHalfKib), unit_report("wrong", 2, kHalfKib - 1)});
  EXPECT_EQ(error_of({.question = "units"}), "");
  EXPECT_THAT(rows(Question::kUnits), HasSubstr(" wrong 2 2 9223372036854774784 "));
}

TEST_F(TooLargeSum, OfClassesNamesTheHost) {
  add({class_report("wrong", 1, kHalfKib << 10), class_report("wrong", 2, kHalfKib << 10)});
  EXPECT_EQ(error_of({.question = "units"}), kError);
  EXPECT_EQ(error_of({.question = "units", .units = libc_}), "");
}

TEST_F(TooLargeSum, OfRegionsNamesTheHost) {
  Report report = unit_report("wrong", 1, kHalfKib);
  for (const char* const region : {"heap", "stack"})
    report.of(FactTable::kRegions).push_back({{region}, {kHalfKib << 10, 0}});
  add({report});
  EXPECT_EQ(error_of({.question = "hosts"}), kError);
}

TEST_F(TooLargeSum, OfSeveralHostsNamesTheLargest) {
  add({unit_report("x", 1, kHalfKib), unit_report("wrong", 2, kHalfKib + 4194304)});
  EXPECT_EQ(error_of({.question = "trend"}), kError);
  EXPECT_EQ(error_of({.question = "units"}), "");
}

TEST_F(TooLargeSum, EndsTheRollupOfItsDay) {
  add({unit_report("wrong", 1, kHalfKib), unit_report("wrong", 2, kHalfKib)});
  const auto days = store_->rollup(kDayOne + 2 * kDay);
  ASSERT_FALSE(days);
  EXPECT_EQ(with_largest_host(*store_, {}, days.error()).text, kError);
  const auto expired = store_->expire(kDayOne + 2 * kDay);
  ASSERT_FALSE(expired);
  EXPECT_EQ(expired.error().kind, Error::Kind::kTooLarge);
}

TEST_F(TooLargeSum, OfDaysWithoutFactsNamesTheHost) {
  add({unit_report("wrong", 1, kHalfKib), unit_report("wrong", kDay, kHalfKib)});
  ASSERT_TRUE(store_->expire(kDayOne + 2 * kDay));
  EXPECT_EQ(error_of({.question = "units"}), kError);
  EXPECT_EQ(error_of({.question = "trend", .units = libc_}), "");
}

TEST_F(TooLargeSum, OfOtherErrorsNamesNoHost) {
  const Error other{Error::Kind::kIo, "broken"};
  EXPECT_EQ(with_largest_host(*store_, {}, other).text, "broken");
}

}  // namespace
}  // namespace physmem::fleet
