// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/conformance/consistency.h"
#include "tests/conformance/smaps_oracle.h"
#include "tests/conformance/workload_list.h"

namespace physmem::conformance {
namespace {

using testing::IsEmpty;

constexpr const char* kHidden =
    "the collector sees no frame numbers: this test needs root (CAP_SYS_ADMIN)";

// Without pages, all pages in swap are in one field.
std::string counts_text(const AreaRecord& area) {
  std::string text = "P:";
  for (std::size_t i = 0; i < 6 && i < area.count_fields.size(); ++i)
    text += " " + std::to_string(area.count_fields[i] + (i == 5 ? area.unlisted() : 0));
  return text;
}

// V: and P: lines of a snapshot, by process and start of the VMA.
std::map<std::string, std::string> area_lines(const Snapshot& snapshot) {
  std::map<std::string, std::string> lines;
  for (const TaskRecord& task : snapshot.tasks)
    for (const AreaRecord& area : task.areas)
      lines[std::to_string(task.pid) + " " + std::to_string(area.start)] =
          area.vma + "\n" + counts_text(area);
  return lines;
}

// Other processes map and unmap pages of shared libraries at any time. So only VMAs whose lines are
// the same before and after are compared.
std::vector<Difference> differences_without_pages(const StoppedProgram& program) {
  const auto before = area_lines(read_snapshot(program.collect()));
  const std::string text = program.collect("--counts-only");
  auto after = area_lines(read_snapshot(program.collect()));
  EXPECT_EQ(text.find("\nM:"), std::string::npos);
  EXPECT_EQ(text.find("\nS:"), std::string::npos);
  auto without = area_lines(read_snapshot(text));
  EXPECT_EQ(before.size(), without.size());
  std::vector<Difference> differences;
  for (const auto& [area, lines] : before)
    if (after[area] == lines && without[area] != lines)
      differences.push_back({area, lines + "\nwithout pages\n" + without[area]});
  return differences;
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

std::vector<Difference> differences_to_expectations(const StoppedProgram& program) {
  const Snapshot snapshot = read_snapshot(program.collect());
  std::vector<Difference> differences;
  for (const Expectation& expected : program.expectations())
    for (Difference& found : differences_to_expectation(snapshot, expected))
      differences.push_back(std::move(found));
  return differences;
}

void check(const StoppedProgram& program) {
  if (!program.skip_reason().empty()) GTEST_SKIP() << program.skip_reason();
  const Snapshot snapshot = read_snapshot(program.collect());
  if (snapshot.header.count("pfn") == 0 || snapshot.header.at("pfn") != "shown")
    GTEST_SKIP() << kHidden;
  // A page is not present while the kernel migrates it to compact memory.
  const auto to_expectations =
      lasting_differences([&] { return differences_to_expectations(program); });
  EXPECT_TRUE(to_expectations.empty()) << text_of(to_expectations);
  EXPECT_THAT(contradictions(snapshot), IsEmpty());
  expect_shared_memory(snapshot, program);
  const auto to_smaps =
      lasting_differences([&] { return differences_to_smaps(read_snapshot(program.collect())); });
  EXPECT_TRUE(to_smaps.empty()) << text_of(to_smaps);
  const auto without_pages =
      lasting_differences([&] { return differences_without_pages(program); });
  EXPECT_TRUE(without_pages.empty()) << text_of(without_pages);
}

class Conformance : public testing::TestWithParam<Workload> {};

TEST_P(Conformance, MatchesThePatternOfEachWorkload) {
  MachineSettings settings;
  settings.apply(GetParam());
  const std::unique_ptr<StoppedProgram> program = start(GetParam());
  check(*program);
}

INSTANTIATE_TEST_SUITE_P(Workload, Conformance, testing::ValuesIn(workloads()),
                         [](const auto& one) { return one.param.name; });

TEST(ConformanceOfCollector, ReportsFourThreadsInOneAddressSpace) {
  const std::unique_ptr<StoppedProgram> program = start({"threads", {}});
  std::set<std::uint64_t> spaces;
  const Snapshot snapshot = read_snapshot(program->collect());
  for (const TaskRecord& task : snapshot.tasks) spaces.insert(task.mm);
  EXPECT_EQ(snapshot.tasks.size(), 4u);
  EXPECT_EQ(spaces.size(), 1u);
}

TEST(ConformanceOfCollector, ListsPagesAfterEmptyTopLevelEntries) {
  const std::unique_ptr<StoppedProgram> program = start({"empty_top_entries", {}});
  check(*program);
}

// An ordinary program with many libraries, which prints no pattern. Only agreement with the kernel
// is checked.
TEST(ConformanceOfCollector, MatchesSmapsForPython) {
  if (!is_program("python3")) GTEST_SKIP() << "there is no python3 here";
  const StoppedProgram program(
      {"python3", "-c",
       "import os, signal, sys\n"
       "try:\n  import json, ssl, sqlite3, ctypes\nexcept ImportError: pass\n"
       "print('process', os.getpid()); print('ready'); sys.stdout.flush(); "
       "os.kill(os.getpid(), signal.SIGSTOP)"});
  check(program);
}

}  // namespace
}  // namespace physmem::conformance
