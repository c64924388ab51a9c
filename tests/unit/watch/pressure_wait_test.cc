// SPDX-License-Identifier: MIT
#include "tools/watch/pressure_wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/collector/fixture_tree.h"
#include "tests/unit/manual_clock.h"

namespace physmem::watch {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Polls a tree every 10 ms for one second. After 205 ms the file changes.
class PollPressure : public testing::Test {
 protected:
  Waited wait_while(const std::string& file, const std::string& before, const std::string& after) {
    fixture_.file(file, before);
    const auto tree = collect::ProcTree::open(fixture_.root());
    const auto pressure = poll_pressure(*tree, {}, 10 * kMs, "a test", clock_);
    clock_.at(205ms, [&] { fixture_.file(file, after); });
    const Waited waited = pressure->wait(clock_.now_ns() + 1000 * kMs);
    name_ = pressure->name();
    return waited;
  }

  ManualClock clock_;
  collect::FixtureTree fixture_;
  std::string name_;
};

TEST_F(PollPressure, WakesUpWhenStallsReachTheThresholdOfTheTrigger) {
  EXPECT_EQ(
      wait_while("pressure/memory", "some avg10=0 total=100\n", "some avg10=0 total=900000\n"),
      Waited::kPressure);
  EXPECT_EQ(clock_.elapsed(), 210ms) << "the first poll after the change";
  EXPECT_THAT(name_, HasSubstr("/pressure/memory every 10 ms (no PSI trigger: a test)"));
}

TEST_F(PollPressure, SleepsDuringStallsBelowTheThreshold) {
  EXPECT_EQ(wait_while("pressure/memory", "some avg10=0 total=100\n", "some avg10=0 total=120\n"),
            Waited::kDeadline);
  EXPECT_EQ(clock_.elapsed(), 1s);
}

TEST_F(PollPressure, TreatsScanningAsPressureWithoutPsi) {
  EXPECT_EQ(
      wait_while("vmstat", "pgscan_anon 5\npgscan_file 1\n", "pgscan_anon 5\npgscan_file 2\n"),
      Waited::kPressure);
  EXPECT_THAT(name_, HasSubstr("/vmstat every"));
}

TEST_F(PollPressure, SleepsWithoutPsiAndVmstat) {
  EXPECT_EQ(wait_while("other", "", ""), Waited::kDeadline);
}

TEST(PressureWait, UsesNoTriggerOfThisKernelForAnotherTree) {
  collect::FixtureTree fixture;
  fixture.file("pressure/memory", "some avg10=0 total=1\n");
  const auto tree = collect::ProcTree::open(fixture.root());
  EXPECT_THAT((*open_pressure_wait(*tree, {}, true))->name(),
              HasSubstr("is not the /proc of this system"));
}

/// The trigger requires a full stall of two seconds, which no test reaches. The deadline has
/// passed.
TEST(PressureWait, UsesTheTriggerOfThisKernel) {
  const auto tree = collect::ProcTree::open("/proc");
  const auto opened = open_pressure_wait(
      *tree, {.is_full = true, .stall_us = 2'000'000, .window_us = 2'000'000}, true);
  ASSERT_TRUE(opened) << opened.error().text;
  const auto& pressure = *opened;
  if (pressure->name().rfind("PSI", 0) != 0) GTEST_SKIP() << pressure->name();
  EXPECT_EQ(pressure->wait(0), Waited::kDeadline);
}

}  // namespace
}  // namespace physmem::watch
