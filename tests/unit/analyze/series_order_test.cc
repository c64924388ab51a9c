// SPDX-License-Identifier: MIT
#include "analyzer/analyze/series_order.h"

#include <gtest/gtest.h>

namespace physmem {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

Header snapshot(std::uint64_t uptime_s, std::uint64_t time_s) {
  Header header;
  header.kernel = "6.1.0";
  header.host = "board-7";
  header.uptime_ns = uptime_s * kSecond;
  header.time_ns = time_s * kSecond;
  return header;
}

TEST(SeriesOrder, DetectsRebootByUptimeAndClock) {
  EXPECT_EQ(step_between(snapshot(1000, 50000), snapshot(1010, 50010)), SeriesStep::kNext);
  EXPECT_EQ(step_between(snapshot(1000, 50000), snapshot(20, 50100)), SeriesStep::kOtherBoot);
  EXPECT_EQ(step_between(snapshot(1000, 50000), snapshot(1500, 52000)), SeriesStep::kOtherBoot);
  EXPECT_EQ(step_between(snapshot(1010, 50010), snapshot(1000, 50000)), SeriesStep::kNotLater);
}

TEST(SeriesOrder, DoesNotTreatClockStepAsReboot) {
  // The clock is set back, and then forward by less than the uptime.
  EXPECT_EQ(step_between(snapshot(1000, 50000), snapshot(1010, 10000)), SeriesStep::kNext);
  EXPECT_EQ(step_between(snapshot(1000, 50000), snapshot(1010, 50910)), SeriesStep::kNext);
}

TEST(SeriesOrder, ContinuesASeriesWhoseClockIsSetByADay) {
  Header before = snapshot(600, 100);
  Header after = snapshot(601, 86501);
  EXPECT_EQ(step_between(before, after), SeriesStep::kOtherBoot) << "not known to be a series";
  before.sequence = 5;
  after.sequence = 6;
  EXPECT_EQ(step_between(before, after), SeriesStep::kNext);
  after.uptime_ns = 500'000'000'000;
  EXPECT_EQ(step_between(before, after), SeriesStep::kOtherBoot) << "the uptime begins again";
}

TEST(SeriesOrder, PrefersBootIdToClock) {
  Header before = snapshot(10, 100);
  Header after = snapshot(20, 1763683200);  // no hardware clock: time set from the network
  EXPECT_EQ(step_between(before, after), SeriesStep::kOtherBoot);
  before.boot_id = after.boot_id = "a";
  EXPECT_EQ(step_between(before, after), SeriesStep::kNext);
  after = snapshot(20, 110);
  after.boot_id = "b";
  EXPECT_EQ(step_between(before, after), SeriesStep::kOtherBoot);
}

TEST(SeriesOrder, PrefersMachineIdToHostName) {
  Header before = snapshot(1000, 50000);
  Header after = snapshot(1010, 50010);
  after.host = "board-8";
  EXPECT_EQ(step_between(before, after), SeriesStep::kOtherMachine);
  before.machine_id = after.machine_id = "m";  // the host was renamed
  EXPECT_EQ(step_between(before, after), SeriesStep::kNext);
  after.host = before.host;
  after.machine_id = "n";  // two boards with the same name
  EXPECT_EQ(step_between(before, after), SeriesStep::kOtherMachine);
}

TEST(SeriesOrder, CountsMissingSnapshotsOfSeriesBySequenceNumber) {
  SeriesOrder order;
  const auto add = [&order](std::uint64_t uptime_s, std::uint64_t sequence) {
    Header header = snapshot(uptime_s, 50000 + uptime_s);
    header.sequence = sequence;
    order.add(header);
  };
  add(10, 0);
  add(11, 1);
  EXPECT_EQ(order.missing(), 0u);
  add(14, 4);
  EXPECT_EQ(order.missing(), 2u);
  add(20, 0);  // another series
  order.add(snapshot(21, 50021));
  add(22, 2);  // after a snapshot without number, the missing numbers are unknown
  EXPECT_EQ(order.missing(), 2u);
}

TEST(SeriesOrder, ComparesWithLastSnapshotOfFirstMachine) {
  SeriesOrder order;
  Header other = snapshot(5, 50005);
  other.host = "board-8";
  EXPECT_EQ(order.add(snapshot(1000, 50000)), SeriesStep::kFirst);
  EXPECT_EQ(order.add(other), SeriesStep::kOtherMachine);
  EXPECT_TRUE(order.is_left_out());
  EXPECT_EQ(order.add(snapshot(1010, 50010)), SeriesStep::kNext);
  EXPECT_EQ(order.snapshots(), 2u);
  EXPECT_EQ(order.left_out(), 1u);
  EXPECT_EQ(order.breaks(), 0u);
  EXPECT_EQ(order.other_host(), "board-8");
}

}  // namespace
}  // namespace physmem
