// SPDX-License-Identifier: MIT
#include "watch/pressure_wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "collector-proc/machine.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::watch {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMs = 1'000'000;

/// Polls a tree every 10 ms; after 200 ms the file has another text.
class PollPressure : public testing::Test {
 protected:
  Waited wait_while(const std::string& file, const std::string& before, const std::string& after) {
    fixture_.file(file, before);
    const auto tree = collect::ProcTree::open(fixture_.root());
    const auto pressure = poll_pressure(*tree, {}, 10 * kMs, "a test");
    std::thread change([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      // Never seen half written.
      fixture_.file("new", after);
      std::rename((fixture_.root() + "/new").c_str(), (fixture_.root() + "/" + file).c_str());
    });
    const Waited waited = pressure->wait(collect::monotonic_ns() + 1000 * kMs);
    change.join();
    name_ = pressure->name();
    return waited;
  }

  collect::FixtureTree fixture_;
  std::string name_;
};

TEST_F(PollPressure, WakesUpWhenTasksStalledForThePartOfTheTimeThatTheTriggerSays) {
  EXPECT_EQ(wait_while("pressure/memory", "some avg10=0 total=100\n", "some avg10=0 total=900000\n"),
            Waited::kPressure);
  EXPECT_THAT(name_, HasSubstr("/pressure/memory every 10 ms (no PSI trigger: a test)"));
}

TEST_F(PollPressure, SleepsThroughStallsThatAreShort) {
  EXPECT_EQ(wait_while("pressure/memory", "some avg10=0 total=100\n", "some avg10=0 total=120\n"),
            Waited::kDeadline);
}

TEST_F(PollPressure, TakesScanningForPressureWhereThereIsNoPsi) {
  EXPECT_EQ(wait_while("vmstat", "pgscan_kswapd 5\npgscan_direct 1\n", "pgscan_kswapd 5\npgscan_direct 2\n"),
            Waited::kPressure);
  EXPECT_THAT(name_, HasSubstr("/vmstat every"));
}

TEST_F(PollPressure, SleepsWhereThereIsNeither) {
  EXPECT_EQ(wait_while("other", "", ""), Waited::kDeadline);
}

TEST(PressureWait, OfATreeOfAnotherMachineNeverAsksThisKernel) {
  collect::FixtureTree fixture;
  fixture.file("pressure/memory", "some avg10=0 total=1\n");
  const auto tree = collect::ProcTree::open(fixture.root());
  EXPECT_THAT(open_pressure_wait(*tree, {})->name(), HasSubstr("is not the /proc of this system"));
}

TEST(PressureWait, OfThisKernelIsItsTrigger) {
  const auto tree = collect::ProcTree::open("/proc");
  const auto pressure = open_pressure_wait(*tree, {});
  if (pressure->name().rfind("PSI", 0) != 0) GTEST_SKIP() << pressure->name();
  EXPECT_EQ(pressure->wait(collect::monotonic_ns() + 20 * kMs), Waited::kDeadline);
}

}  // namespace
}  // namespace physmem::watch
