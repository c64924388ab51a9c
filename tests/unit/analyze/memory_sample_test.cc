// SPDX-License-Identifier: MIT
// Samples of a series over one axis of time.
#include "analyzer/analyze/time/memory_sample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

struct At {
  std::uint64_t uptime = 0;  ///< s
  std::uint64_t time = 0;    ///< s
  std::string boot = "1";
  std::string machine = "m";
};

/// A snapshot with only a task that has had these faults.
std::string tasks(const At& at, int minors, int majors) {
  return fmt::format(
      "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, machine_id={}, "
      "boot_id={}, time_ns={}000000000, uptime_ns={}000000000, hz=100, ram_pages=1000, "
      "phys_mask=000FFFFFFFFFF000, pte=none, prot=none, flags=kpf, count=mapcount, "
      "pages=none, areas=none, pfn=shown\n"
      "T: cat     , 7, 00000007, 0, {}, {}, 0, 0, 0, 0, 7, 1, 1, 0, {}, {}, 0, 0, /\nE: 1, 0, 0, "
      "0, 0\n",
      at.machine, at.boot, at.time, at.uptime, minors, majors, minors, majors);
}

class MemorySamples : public testing::Test {
 protected:
  void read(const std::string& text) { fold_series(text, {&sampler_}); }
  std::vector<std::uint64_t> times() const {
    std::vector<std::uint64_t> seconds;
    for (const MemorySample& sample : samples_) seconds.push_back(sample.time_ns / 1'000'000'000);
    return seconds;
  }

  std::vector<MemorySample> samples_;
  MemorySampler sampler_{[this](const MemorySample& sample) { samples_.push_back(sample); }};
};

TEST_F(MemorySamples, HaveFaultsSinceTheSnapshotBefore) {
  read(tasks({10, 1000}, 5, 1) + tasks({12, 1002}, 8, 1));
  ASSERT_EQ(samples_.size(), 2);
  EXPECT_FALSE(samples_[0].processes[0].faults.has_value());
  ASSERT_TRUE(samples_[1].processes[0].faults.has_value());
  EXPECT_EQ(samples_[1].processes[0].faults->minors, 3);
  EXPECT_EQ(samples_[1].processes[0].faults->majors, 0);
  EXPECT_FALSE(samples_[1].processes[0].use.has_value()) << "it has no areas";
}

TEST_F(MemorySamples, GoOnByTheClockAfterAReboot) {
  read(tasks({10, 1000}, 5, 1) + tasks({3, 1060, "2"}, 6, 1) + tasks({5, 1062, "2"}, 7, 1));
  EXPECT_THAT(times(), ElementsAre(10, 70, 72));
  EXPECT_FALSE(samples_[1].processes[0].faults.has_value()) << "it is another process";
  EXPECT_TRUE(samples_[2].processes[0].faults.has_value());
}

TEST_F(MemorySamples, OmitOtherMachinesAndEarlierSnapshots) {
  read(tasks({10, 1000}, 5, 1) + tasks({11, 1001, "9", "other"}, 5, 1) + tasks({9, 999}, 5, 1) +
       tasks({12, 1002}, 5, 1));
  EXPECT_THAT(times(), ElementsAre(10, 12));
  EXPECT_EQ(sampler_.order().left_out(), 1);
}

}  // namespace
}  // namespace physmem
