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

TEST(Machine, KnowsTheTimeOfDay) {
  timespec wall{};
  timespec monotonic{};
  const std::int64_t offset = machine_facts().wall_offset_ns;
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_REALTIME, &wall);
  const std::int64_t now =
      (wall.tv_sec - monotonic.tv_sec) * 1'000'000'000 + wall.tv_nsec - monotonic.tv_nsec;
  EXPECT_LT(std::abs(now - offset), 100'000'000);
}

}  // namespace
}  // namespace physmem
