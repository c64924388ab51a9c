// SPDX-License-Identifier: MIT
#include "analyzer/input/fleet_progress.h"

#include <gtest/gtest.h>

namespace physmem {
namespace {

TEST(FleetProgress, PrintsProgressRateAndRemainingTime) {
  constexpr std::uint64_t kMiB = 1 << 20;
  EXPECT_EQ(fleet_progress_text(250, 1000, 500 * kMiB, 2000 * kMiB, 300, 25),
            "250 of 1000 files, 300 snapshots, 20 MiB/s, 12.0 snapshots/s, 1:15 left");
  EXPECT_EQ(fleet_progress_text(1, 1, 3 * kMiB, 2 * kMiB, 1, 2),
            "1 of 1 file, 1 snapshot, 2 MiB/s, 0.5 snapshots/s, 0:00 left")
      << "the file has grown";
}

TEST(FleetProgress, PrintsNoRateBeforeFirstFileIsDone) {
  EXPECT_EQ(fleet_progress_text(0, 3, 0, 100, 2, 4), "0 of 3 files, 2 snapshots");
}

}  // namespace
}  // namespace physmem
