// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A process with one resident page of two program pages, and a stack with one resident and one
/// swapped page.
FakeProcess add_cat(FakeKernel& kernel, std::uint64_t pid = 371) {
  const FakeProcess cat = kernel.add_process({.pid = pid, .comm = "cat"});
  const std::uint64_t program = kernel.file("/usr/bin/cat", {.inode = 1835});
  kernel.put(cat.mm, "mm_struct.exe_file", program);
  kernel.put(cat.mm, "mm_struct.start_stack", 0x7FFD3E020800);
  kernel.add_area(cat.mm, {.start = 0x55D0C1A00000,
                           .end = 0x55D0C1A02000,
                           .flags = kRead | kExec,
                           .file = program,
                           .pgoff = 3});
  kernel.add_area(
      cat.mm,
      {.start = 0x7FFD3E000000, .end = 0x7FFD3E021000, .flags = kRead | kWrite | kGrowsDown});
  kernel.map_page(cat.mm, 0x55D0C1A01000, 0x1A2B3,
                  {.mapcount = 2,
                   .flags = {"PG_referenced", "PG_uptodate", "PG_lru", "PG_active"},
                   .mapping = kFileMapping});
  kernel.map_page(cat.mm, 0x7FFD3E020000, 0x2C0F5);
  kernel.set_entry(cat.mm, 0x7FFD3E01F000, swapped(0, 0x2A4));
  return cat;
}

/// Replaces the address of the mm_struct, which depends on the order of allocations.
std::string without_mm(std::string text, std::uint64_t mm) {
  const std::string address = fmt::format("{:X}", mm);
  for (std::size_t at = text.find(address); at != std::string::npos; at = text.find(address))
    text.replace(at, address.size(), "MM");
  return text;
}

/// The header of a kernel whose boot id has these 16 bytes.
std::string header_with_boot_id(std::string_view bytes) {
  FakeKernel kernel;
  add_cat(kernel);
  kernel.symbols["sysctl_bootid"] = kernel.memory.allocate("sysctl_bootid", bytes.size(), 8);
  kernel.memory.put_text(kernel.symbols["sysctl_bootid"], bytes);
  return snapshot_of(kernel).header;
}

TEST(Snapshot, FormatsBootIdAsKernelDoes) {
  EXPECT_THAT(
      header_with_boot_id("\x02\x4e\xa1\x96\x5d\x0f\x4c\x0b\x9a\xff\x10\x2f\xd8\x15\x3a\x7e"),
      testing::EndsWith(", boot_id=024ea196-5d0f-4c0b-9aff-102fd8153a7e\n"));
}

TEST(Snapshot, ReportsNoRamPagesIfNumberIsDamaged) {
  FakeKernel kernel;
  add_cat(kernel);
  kernel.memory.put(kernel.symbols["_totalram_pages"], 8, (std::uint64_t{1} << 52) + 1);
  const Snapshot snapshot = snapshot_of(kernel);
  EXPECT_THAT(snapshot.header, testing::HasSubstr(", ram_pages=0,"));
  EXPECT_THAT(snapshot.text, testing::HasSubstr("note.corrupt=1"));
}

TEST(Snapshot, OmitsBootIdIfKernelHasNotCreatedIt) {
  EXPECT_THAT(header_with_boot_id(std::string(16, '\0')), testing::EndsWith(", host=board-7\n"));
}

TEST(Snapshot, DescribesSmallKernel) {
  FakeKernel kernel;
  kernel.add_process({.pid = 52, .comm = "kswapd0", .uid = 0, .has_mm = false});
  const FakeProcess cat = add_cat(kernel);
  kernel.add_thread(cat, {.pid = 372, .comm = "worker, 2"});
  const FakeProcess twin = kernel.add_process({.pid = 400, .comm = "vfork", .parent = cat.task});
  kernel.put(twin.task, "task_struct.mm", cat.mm);
  kernel.put_in_cgroup(cat.task, kernel.cgroup("/user.slice"));
  const Snapshot snapshot = snapshot_of(kernel);
  EXPECT_EQ(snapshot.error, 0);
  EXPECT_EQ(snapshot.header,
            "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=crash, "
            "time_ns=1763683200000000500, "
            "uptime_ns=86400000000507, hz=100, ram_pages=1048576, phys_mask=FFFFFFFFFF000, "
            "pte=raw, prot=raw, "
            "flags=kpf, count=mapcount, pages=all, pfn=shown, host=board-7\n");
  EXPECT_EQ("\n" + without_mm(snapshot.text, cat.mm), R"(
T: kswapd0 , 52, 00000000, 3, 0, 0, 0, 0, 0, 0, 52, 5052, 0, 0, 0, 0, 0, 0, /
T: cat     , 371, MM, 3, 0, 0, 0, 0, 0, 0, 371, 5371, 0, 1000, 0, 0, 0, 0, /user.slice
V: 55D0C1A00000, 55D0C1A01FFF, 00002000, 00001000, 00000025, 00001005, /usr/bin/cat, 00003000, FE:01, 1835, 00000005
P: 1, 1, 1, 0, 1, 0
M: 55D0C1A01000=1A2B3067, 2, 0000086C |
V: 7FFD3E000000, 7FFD3E020FFF, 00021000, 00001000, 00000025, 00000103, [stack], 00000000, 00:00, 0, 00000103
P: 1, 0, 0, 1, 0, 1
M: 7FFD3E020000=2C0F5067, 1, 00005828 |
S: 7FFD3E01F000=0:000002A4 |
T: worker\054 2, 372, MM, 3, 0, 0, 0, 0, 0, 0, 371, 5372, 0, 1000
T: vfork   , 400, MM, 3, 0, 0, 0, 0, 0, 0, 400, 5400, 371, 1000, 0, 0, 0, 0, /
E: 4, 2, 2, 1, 0
)");
}

TEST(Snapshot, IsSameForOlderAndNewerKernels) {
  std::vector<std::string> texts;
  for (const Era era : {Era::k5_10, Era::k6_1, Era::k6_12}) {
    FakeKernel kernel(era, 4, 7);
    const FakeProcess cat = add_cat(kernel);
    const Snapshot snapshot = snapshot_of(kernel);
    texts.push_back(snapshot.header + without_mm(snapshot.text, cat.mm));
  }
  EXPECT_THAT(texts[0], HasSubstr("\nE: 1, 2, 2, 1, 0\n"));
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[1], texts[2]);
}

TEST(Snapshot, SelectsProcessesByAnyThread) {
  FakeKernel kernel;
  for (const std::uint64_t pid : {5u, 6u, 7u, 8u})
    kernel.add_process({.pid = pid, .has_mm = false});
  kernel.add_thread(kernel.add_process({.pid = 9, .has_mm = false}), {.pid = 66, .has_mm = false});
  const Snapshot snapshot = snapshot_of(kernel, {7, 66, 1234});
  EXPECT_EQ(snapshot.error, 0);
  EXPECT_THAT(snapshot.text, StartsWith("T: task    , 7, "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nT: task    , 9, "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nT: task    , 66, "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nE: 3, 0, 0, 0, 0\n"));
  EXPECT_EQ(snapshot_of(kernel, {1234}).error, -ESRCH);
}

TEST(Snapshot, FailsIfThereAreNoTasks) {
  FakeKernel kernel;
  EXPECT_EQ(snapshot_of(kernel).error, -ENODATA);
  kernel.add_process({.pid = 7});
  kernel.put(kernel.init_task(), "task_struct.tasks/list_head.next", 0);
  kernel.put(kernel.init_task(), "task_struct.tasks/list_head.prev", 0);
  EXPECT_EQ(snapshot_of(kernel).error, -ENODATA);
}

TEST(Snapshot, HasSameCountsWithoutPages) {
  FakeKernel kernel;
  add_cat(kernel);
  const Snapshot snapshot = snapshot_of(kernel, {}, true);
  EXPECT_THAT(snapshot.header, HasSubstr(", pages=none,"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nP: 1, 1, 1, 0, 1, 0\nV: "));
  EXPECT_THAT(snapshot.text, HasSubstr("\nP: 1, 0, 0, 1, 0, 1\nE: 1, 2, 2, 1, 0\n"));
}

/// Pages, swap slots and migration entries alternate, with more than one stretch of each. The
/// second table is lost.
void add_large(FakeKernel& kernel) {
  const FakeProcess large = kernel.add_process({.pid = 7});
  constexpr std::uint64_t kPages = 2 * PM_STEP + 100;
  for (std::uint64_t i = 0; i < kPages * 3; ++i) {
    const std::uint64_t kinds[] = {present(0x40000 + i), swapped(1, i), swapped(30, 0x40000 + i)};
    kernel.set_entry(large.mm, i * kPage, kinds[i % 3]);
  }
  kernel.add_area(large.mm, {.start = 0, .end = 3 * kPages * kPage});
  kernel.memory.lose(kernel.table(large.mm, 512 * kPage, 0));
}

TEST(Snapshot, WalksLargeAreaTwiceButNotesProblemsOnce) {
  FakeKernel kernel;
  add_large(kernel);
  const Snapshot snapshot = snapshot_of(kernel);
  EXPECT_THAT(snapshot.text,
              HasSubstr("\nP: 16313, 0, 0, 0, 0, 16314\nM: 00000000=40000067, 0, 00000000 |"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nS: 00001000=1:00000001 | 00004000=1:00000004 |"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: note.in_transit=16313\nG: note.table_excluded=1\n"));
  EXPECT_EQ(std::count(snapshot.text.begin(), snapshot.text.end(), '|'), 16313 + 16314);
}

TEST(Snapshot, NotesWhatDumpLacks) {
  FakeKernel kernel;
  const FakeProcess cat = add_cat(kernel);
  kernel.memory.lose(kernel.page(0x1A2B3));
  kernel.memory.lose(kernel.table(cat.mm, 0x7FFD3E000000, 0));
  const Snapshot snapshot = snapshot_of(kernel);
  EXPECT_THAT(snapshot.text, HasSubstr("\nM: 55D0C1A01000=1A2B3067, 0, 00100000 |\n"));
  EXPECT_THAT(snapshot.text,
              HasSubstr("[stack], 00000000, 00:00, 0, 00000103\nP: 0, 0, 0, 0, 0, 0\n"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: note.table_excluded=1\nG: note.frame_excluded=1\n"));
}

TEST(Snapshot, CountsPagesWithExcludedContents) {
  FakeKernel kernel;
  const FakeProcess cat = add_cat(kernel);
  kernel.frames = 0x40000;
  kernel.map_page(cat.mm, 0x7FFD3E001000, 0x1000);
  // A frame of a device, which no dump contains.
  kernel.set_entry(cat.mm, 0x7FFD3E002000, present(0x50000));
  kernel.excluded_frames = {0x1000, 0x1A2B3, 0x50000, 0x1234};
  const Snapshot whole = snapshot_of(kernel);
  EXPECT_THAT(whole.text, HasSubstr("\nE: 1, 2, 4, 1, 0, 2\n"));
  EXPECT_THAT(snapshot_of(kernel, {}, true).text, HasSubstr("\nE: 1, 2, 4, 1, 0, 2\n"));
  kernel.excluded_frames.clear();
  EXPECT_THAT(snapshot_of(kernel).text, HasSubstr("\nE: 1, 2, 4, 1, 0\n"));
}

TEST(Snapshot, IsSameWhenRepeated) {
  FakeKernel kernel;
  add_cat(kernel);
  kernel.memory.lose(kernel.page(0x1A2B3));
  const Snapshot first = snapshot_of(kernel);
  EXPECT_EQ(first.text, snapshot_of(kernel).text);
}

TEST(Snapshot, StopsOnInterruption) {
  FakeKernel kernel;
  add_cat(kernel);
  kernel.checks_left = 1000;
  ASSERT_EQ(snapshot_of(kernel).error, 0);
  const std::int64_t checks = 1000 - kernel.checks_left;
  EXPECT_GE(checks, 4);
  for (std::int64_t i = 0; i < checks; ++i) {
    kernel.checks_left = i;
    const Snapshot snapshot = snapshot_of(kernel);
    EXPECT_EQ(snapshot.error, -EINTR) << "check " << i;
    EXPECT_THAT(snapshot.text, Not(HasSubstr("\nE: ")));
  }
}

TEST(Snapshot, FailsWithErrorOfOutput) {
  FakeKernel kernel;
  add_large(kernel);
  const Snapshot whole = snapshot_of(kernel);
  const std::size_t size = whole.header.size() + whole.text.size();
  EXPECT_EQ(snapshot_of(kernel, {}, false, size).error, 0);
  for (const std::size_t room :
       {std::size_t{0}, std::size_t{4095}, size / 3, size / 4 * 3, size - 1})
    EXPECT_EQ(snapshot_of(kernel, {}, false, room).error, -ENOSPC) << room;
}

TEST(Snapshot, ReportsProgress) {
  FakeKernel kernel;
  for (const std::uint64_t pid : {5u, 6u})
    kernel.add_thread(add_cat(kernel, pid), {.pid = pid + 10});
  const Opened image(kernel);
  std::string reports;
  const auto report = [](void* to, std::size_t done, std::size_t tasks, __u64 pages) {
    *static_cast<std::string*>(to) += fmt::format("{} of {}: {}\n", done, tasks, pages);
  };
  const auto drop = [](void*, const char*, std::size_t) { return 0; };
  char buffer[PM_OUT_MIN];
  pm_out out{buffer, sizeof buffer, 0, drop, nullptr, 0};
  const pm_choice choice{};
  const pm_progress progress{report, &reports};
  pm_end end{};
  EXPECT_EQ(pm_snapshot(image.get(), &choice, &progress, &out, &end), 0);
  EXPECT_THAT(reports, testing::StartsWith("0 of 4: 0\n"));
  EXPECT_THAT(reports, testing::HasSubstr("\n2 of 4: 2\n"));
  EXPECT_THAT(reports, testing::EndsWith("\n4 of 4: 4\n"));
}

TEST(Snapshot, ReadsClockFromEitherVariable) {
  FakeKernel kernel(Era::k6_12);
  add_cat(kernel);
  const std::uint64_t clock = kernel.symbols.at("shadow_timekeeper");
  const std::string header = snapshot_of(kernel).header;
  kernel.symbols.erase("shadow_timekeeper");
  kernel.symbols["timekeeper_data"] = clock - kernel.types.offset("tk_data.timekeeper");
  EXPECT_EQ(snapshot_of(kernel).header, header);
}

}  // namespace
}  // namespace physmem::crash
