// SPDX-License-Identifier: MIT
#include "tracer/source/machine.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tests/unit/tracer/proc_fixture.h"

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

TEST(Machine, TakesRamFromIomemWhereThereAreNoZones) {
  ProcFixture proc;
  proc.write(
      "proc/iomem",
      "00001000-0009fbff : System RAM\n00100000-1ffdffff : System RAM\n  01000000-01ffffff : Kernel code\n"
      "fffc0000-ffffffff : Reserved\n");
  EXPECT_EQ(machine_facts(proc.root()).frames_end,
            0x1FFE0000u / static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

TEST(Machine, LeavesOpenWhatIsNotThere) {
  ProcFixture proc;
  const TraceHeader header = machine_facts(proc.root());
  EXPECT_EQ(header.memory_bytes, 0u);
  EXPECT_EQ(header.frames_end, 0u);
}

// The clocks are read before and after each other, however long that takes. Their setting may be
// corrected in between, but not by a tenth of a second.
TEST(Machine, KnowsTheTimeOfDay) {
  constexpr std::int64_t kCorrectionNs = 100'000'000;
  const auto read = [](clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  };
  const std::int64_t offset = machine_facts().wall_offset_ns;
  const std::int64_t before = read(CLOCK_MONOTONIC);
  const std::int64_t wall = read(CLOCK_REALTIME);
  const std::int64_t after = read(CLOCK_MONOTONIC);
  EXPECT_GT(offset, wall - after - kCorrectionNs);
  EXPECT_LT(offset, wall - before + kCorrectionNs);
}

}  // namespace
}  // namespace physmem
