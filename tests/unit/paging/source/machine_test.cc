// SPDX-License-Identifier: MIT
#include "paging/source/machine.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <vector>

#include "tests/unit/paging/source/proc_fixture.h"

namespace physmem {
namespace {

constexpr const char* kZones =
    "Node 0, zone      DMA\n  pages free     3840\n        spanned  4095\n        present  3998\n  "
    "start_pfn:           1\n"
    "Node 0, zone    DMA32\n        spanned  126944\n  start_pfn:           4096\n"
    "Node 0, zone  Movable\n        spanned  0\n  start_pfn:           999999\n";

TEST(Machine, IsReadFromProc) {
  ProcFixture proc;
  proc.write("proc/meminfo", "MemFree:  77 kB\nMemTotal:         506880 kB\n");
  proc.write("proc/zoneinfo", kZones);
  proc.write("proc/sys/kernel/osrelease", "6.1.0-56-amd64\n");
  const TraceHeader header = machine_facts(proc.root());
  EXPECT_EQ(header.memory_bytes, 519'045'120u);
  EXPECT_EQ(header.frames_end, 131'040u);
  EXPECT_EQ(header.kernel, "6.1.0-56-amd64");
  utsname names{};
  ASSERT_EQ(uname(&names), 0);
  EXPECT_EQ(header.arch, names.machine);
}

TEST(Machine, ReadsRamFromIomemWithoutZones) {
  ProcFixture proc;
  proc.write("proc/iomem",
             "00001000-0009fbff : System RAM\n00100000-1ffdffff : System RAM\n  01000000-01ffffff "
             ": Kernel code\n"
             "20000000-2fffffff : virtio0\n  20000000-27ffffff : System RAM (virtio_mem)\n"
             "fffc0000-ffffffff : Reserved\n");
  EXPECT_EQ(machine_facts(proc.root()).frames_end,
            0x28000000u / static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

TEST(Machine, ReportsZeroForMissingFiles) {
  ProcFixture proc;
  const TraceHeader header = machine_facts(proc.root());
  EXPECT_EQ(header.memory_bytes, 0u);
  EXPECT_EQ(header.frames_end, 0u);
}

TEST(Machine, HasAPlausibleTimeOfDay) {
  constexpr std::int64_t kSince2020Ns = std::int64_t{50} * 365 * 24 * 3600 * 1'000'000'000;
  constexpr std::int64_t kMaxUptimeNs = std::int64_t{10} * 365 * 24 * 3600 * 1'000'000'000;
  EXPECT_GT(machine_facts().wall_offset_ns, kSince2020Ns - kMaxUptimeNs);
}

// Between two readings of the monotonic clock 300, 20, 7000, 40 and 20 ns pass. The time of day is
// read in the middle of the closest pair, and at the end of the others.
TEST(Machine, UsesTheTimeOfDayFromTheClosestReadings) {
  constexpr std::int64_t kOffset = 1'763'683'200'000'000'000;
  std::vector<std::int64_t> monotonic{1000,   1300,   2000,   2020,   3000,
                                      10'000, 11'000, 11'040, 12'000, 12'020};
  std::vector<std::int64_t> wall{1300, 2010, 10'000, 11'040, 12'020};
  const auto next_of = [](std::vector<std::int64_t>& readings, std::int64_t offset) {
    return [&readings, offset, i = std::size_t{0}]() mutable { return readings.at(i++) + offset; };
  };
  EXPECT_EQ(wall_offset_ns(next_of(monotonic, 0), next_of(wall, kOffset)), kOffset);
}

}  // namespace
}  // namespace physmem
