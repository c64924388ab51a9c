// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/conformance/machine_setting.h"
#include "tests/conformance/smaps_oracle.h"
#include "tests/conformance/workload_run.h"

namespace physmem::conformance {
namespace {

using testing::IsEmpty;

constexpr const char* kHidden = "the collector sees no frame numbers: this test needs root (CAP_SYS_ADMIN)";

// Other programs may begin or end between two looks at the same pages, and those of shared libraries then
// change their counts: what differs once must differ every time to be a difference.
constexpr int kAttempts = 5;

// V: and P: lines of a snapshot, in order.
std::vector<std::string> area_lines(const Snapshot& snapshot) {
  std::vector<std::string> lines;
  for (const TaskRecord& task : snapshot.tasks) {
    for (const AreaRecord& area : task.areas) {
      lines.push_back(area.vma);
      lines.push_back(area.counts);
    }
  }
  return lines;
}

// P: fields user, single and shared by the pages themselves; executable and read-only by the area.
std::vector<std::uint64_t> counts_by_pages(const AreaRecord& area) {
  std::uint64_t single = 0;
  std::uint64_t shared = 0;
  for (const Page& page : area.pages) {
    single += page.count == 1 ? 1 : 0;
    shared += page.count > 1 ? 1 : 0;
  }
  const std::uint64_t user = area.pages.size();
  return {user,
          (area.flags & 4) != 0 ? user : 0,
          (area.flags & 2) == 0 ? user : 0,
          single,
          shared,
          area.swapped.size()};
}

void expect_consistent(const Snapshot& snapshot) {
  const std::uint64_t page_size = std::stoull(snapshot.header.at("page_size"));
  std::uint64_t areas = 0;
  std::uint64_t pages = 0;
  std::uint64_t swapped = 0;
  for (const TaskRecord& task : snapshot.tasks) {
    std::uint64_t end = 0;
    for (const AreaRecord& area : task.areas) {
      EXPECT_GE(area.start, end) << "areas overlap: " << area.vma;
      end = area.last;
      EXPECT_EQ(area.count_fields, counts_by_pages(area)) << area.vma;
      EXPECT_EQ(area.resident, area.pages.size() * page_size) << area.vma;
      ++areas;
      pages += area.pages.size();
      swapped += area.swapped.size();
    }
  }
  EXPECT_EQ(snapshot.end, (std::vector<std::uint64_t>{snapshot.tasks.size(), areas, pages, swapped, 0}));
}

void expect_same_counts_without_pages(const StoppedProgram& program) {
  std::vector<std::string> with;
  std::vector<std::string> without;
  for (int i = 0; i < kAttempts; ++i) {
    with = area_lines(read_snapshot(program.collect()));
    const std::string text = program.collect("--no-pages");
    EXPECT_EQ(text.find("\nM:"), std::string::npos);
    EXPECT_EQ(text.find("\nS:"), std::string::npos);
    without = area_lines(read_snapshot(text));
    if (with == without) return;
  }
  EXPECT_EQ(with, without);
}

void expect_agreement_with_smaps(const StoppedProgram& program) {
  std::vector<std::string> differences;
  for (int i = 0; i < kAttempts; ++i) {
    differences = differences_to_smaps(read_snapshot(program.collect()));
    if (differences.empty()) return;
  }
  EXPECT_THAT(differences, IsEmpty());
}

void expect_shared_memory(const Snapshot& snapshot, const StoppedProgram& program) {
  std::map<std::uint64_t, const TaskRecord*> tasks;
  std::map<std::uint64_t, int> tasks_with_areas;  // of each address space
  for (const TaskRecord& task : snapshot.tasks) {
    tasks[task.pid] = &task;
    if (!task.areas.empty()) ++tasks_with_areas[task.mm];
  }
  for (const auto& [mm, n] : tasks_with_areas)
    EXPECT_EQ(n, 1) << "address space " << mm << " was written twice";
  for (const auto& [pid, owner] : program.sharers()) {
    ASSERT_TRUE(tasks.contains(pid) && tasks.contains(owner));
    EXPECT_EQ(tasks[pid]->mm, tasks[owner]->mm);
    EXPECT_THAT(tasks[pid]->areas, IsEmpty());
  }
}

void check(const StoppedProgram& program) {
  if (!program.skip_reason().empty()) GTEST_SKIP() << program.skip_reason();
  const Snapshot snapshot = read_snapshot(program.collect());
  if (snapshot.header.count("pfn") == 0 || snapshot.header.at("pfn") != "shown") GTEST_SKIP() << kHidden;
  for (const Expectation& expected : program.expectations())
    EXPECT_THAT(differences_to_expectation(snapshot, expected), IsEmpty()) << "process " << expected.pid;
  expect_consistent(snapshot);
  expect_shared_memory(snapshot, program);
  expect_agreement_with_smaps(program);
  expect_same_counts_without_pages(program);
}

void check_case(const std::string& name) {
  check(StoppedProgram({PHYSMEM_WORKLOAD, name}));
}

TEST(Conformance, PrivateAnonymous) {
  check_case("private_anonymous");
}
TEST(Conformance, TouchedHereAndThere) {
  check_case("touched_here_and_there");
}
TEST(Conformance, SharedByFork) {
  check_case("shared_by_fork");
}
TEST(Conformance, MemfdMappedTwice) {
  check_case("memfd_mapped_twice");
}
TEST(Conformance, PrivateFilePartlyWritten) {
  check_case("private_file_partly_written");
}
TEST(Conformance, DeletedFile) {
  check_case("deleted_file");
}
TEST(Conformance, HostileFileName) {
  check_case("hostile_file_name");
}
TEST(Conformance, HugePage) {
  check_case("huge_page");
}
TEST(Conformance, HugePageShared) {
  check_case("huge_page_shared");
}
TEST(Conformance, HugePagesPartlyShared) {
  check_case("huge_pages_partly_shared");
}
TEST(Conformance, ZeroPage) {
  check_case("zero_page");
}
TEST(Conformance, HugeZeroPage) {
  check_case("huge_zero_page");
}
TEST(Conformance, ResidentWithoutAccess) {
  check_case("resident_without_access");
}
TEST(Conformance, NearlyEmptyTerabytes) {
  check_case("nearly_empty_terabytes");
}
TEST(Conformance, SwappedOut) {
  check_case("swapped_out");
}
TEST(Conformance, VforkChild) {
  check_case("vfork_child");
}

TEST(Conformance, ThreadsShareOneAddressSpace) {
  const StoppedProgram program({PHYSMEM_WORKLOAD, "threads"});
  check(program);
  std::set<std::uint64_t> spaces;
  const Snapshot snapshot = read_snapshot(program.collect());
  for (const TaskRecord& task : snapshot.tasks) spaces.insert(task.mm);
  EXPECT_EQ(snapshot.tasks.size(), 4u);
  EXPECT_EQ(spaces.size(), 1u);
}

TEST(Conformance, FoliosOf64K) {
  const MachineSetting folios("/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled", "madvise");
  if (!folios.is_set()) GTEST_SKIP() << "this kernel has no folios of 64 KiB, or they cannot be switched on";
  check_case("folios_of_64k");
}

TEST(Conformance, MergedByKsm) {
  const MachineSetting pages("/sys/kernel/mm/ksm/pages_to_scan", "1000");
  const MachineSetting pause("/sys/kernel/mm/ksm/sleep_millisecs", "5");
  const MachineSetting run("/sys/kernel/mm/ksm/run", "1");
  if (!run.is_set()) GTEST_SKIP() << "this kernel has no KSM, or it cannot be switched on";
  check_case("merged_by_ksm");
}

TEST(Conformance, HugetlbPage) {
  const MachineSetting pages("/proc/sys/vm/nr_hugepages", "4");
  if (!pages.is_set()) GTEST_SKIP() << "no hugetlb pages can be set aside";
  check_case("hugetlb_page");
}

// A program nobody prepared, with many libraries: nothing is expected of it but agreement with the kernel.
TEST(Conformance, Python) {
  const StoppedProgram program({"python3", "-c",
                                "import os, signal, sys\n"
                                "try:\n  import json, ssl, sqlite3, ctypes\nexcept ImportError: pass\n"
                                "print('process', os.getpid()); print('ready'); sys.stdout.flush(); "
                                "os.kill(os.getpid(), signal.SIGSTOP)"});
  check(program);
}

}  // namespace
}  // namespace physmem::conformance
