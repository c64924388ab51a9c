// SPDX-License-Identifier: MIT
// Two collectors and the kernel's own files agree about the same stopped processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "tests/conformance/consistency.h"
#include "tests/conformance/kernel_witness.h"
#include "tests/conformance/smaps_oracle.h"
#include "tests/conformance/snapshot_agreement.h"
#include "tests/conformance/workload_list.h"

namespace physmem::conformance {
namespace {

using Programs = std::vector<std::unique_ptr<StoppedProgram>>;
using testing::IsEmpty;

// The collectors are any commands that take --pid LIST and write to standard output.
std::string command_of(const char* variable, const char* usual) {
  const char* other = std::getenv(variable);
  return other != nullptr ? other : usual;
}
std::string collector_a() {
  return command_of("PHYSMEM_COLLECTOR_A", PHYSMEM_COLLECTOR_A);
}
std::string collector_b() {
  return command_of("PHYSMEM_COLLECTOR_B", PHYSMEM_COLLECTOR);
}

Snapshot snapshot_by(const std::string& collector, const std::vector<std::uint64_t>& pids) {
  return read_snapshot(output_of(collector + " --pid " + comma_list(pids)));
}

// Nothing agrees if the collector sees no frame numbers.
const bool kIsHidden = ::access("/proc/kpagecount", R_OK) != 0;
constexpr const char* kHidden =
    "/proc/kpagecount cannot be read: this test needs root (CAP_SYS_ADMIN)";

using Look = std::vector<Difference> (*)(const Snapshot&);

void expect_agreement(const std::vector<std::uint64_t>& pids) {
  if (kIsHidden) GTEST_SKIP() << kHidden;
  const auto between = lasting_differences([&] {
    const Snapshot a = snapshot_by(collector_a(), pids);
    return differences_between(a, snapshot_by(collector_b(), pids));
  });
  EXPECT_TRUE(between.empty()) << "A (" << collector_a() << ") against B (" << collector_b()
                               << "): " << text_of(between);
  for (const Look look : {differences_to_kernel, differences_to_smaps}) {
    const auto found = lasting_differences([&] { return look(snapshot_by(collector_a(), pids)); });
    EXPECT_TRUE(found.empty()) << "A (" << collector_a()
                               << ") against the kernel: " << text_of(found);
  }
  EXPECT_THAT(contradictions(snapshot_by(collector_a(), pids)), IsEmpty());
}

class Agreement : public testing::TestWithParam<Workload> {};

TEST_P(Agreement, HoldsForEachWorkload) {
  MachineSettings settings;
  settings.apply(GetParam());
  const std::unique_ptr<StoppedProgram> program = start(GetParam());
  if (!program->skip_reason().empty()) GTEST_SKIP() << program->skip_reason();
  expect_agreement(program->pids());
}

INSTANTIATE_TEST_SUITE_P(Workload, Agreement, testing::ValuesIn(workloads()),
                         [](const auto& one) { return one.param.name; });

// Ordinary programs, whose pattern of pages is not known. Each script waits until its last child
// sleeps or has all of its threads.
struct Ordinary {
  const char* program;
  const char* script;
};
constexpr Ordinary kOrdinary[] = {
    {"sh", "sleep 1000 & until grep -q '^State:.S' /proc/$!/status; do sleep 0.01; done"},
    {"physmem-analyze",
     "sleep 1000 | physmem-analyze - & "
     "until grep -q '^State:.S' /proc/$!/status; do sleep 0.01; done"},
    {"python3",
     "python3 -c 'import threading, time\nfor i in range(3): "
     "threading.Thread(target=time.sleep, args=(1000,)).start()' & "
     "until [ \"$(ls /proc/$!/task | wc -l)\" = 4 ]; do sleep 0.01; done"},
};
constexpr std::string_view kStop =
    "; kill -STOP $!; echo process $!; echo process $$; echo ready; kill -STOP $$";

Programs start_ordinary() {
  Programs programs;
  for (const Ordinary& one : kOrdinary)
    if (is_program(one.program))
      programs.push_back(std::make_unique<StoppedProgram>(
          std::vector<std::string>{"sh", "-c", one.script + std::string(kStop)}));
  return programs;
}

std::vector<std::uint64_t> pids_of(const Programs& programs) {
  std::vector<std::uint64_t> pids;
  for (const auto& program : programs)
    pids.insert(pids.end(), program->pids().begin(), program->pids().end());
  return pids;
}

TEST(AgreementOfCollectors, HoldsForOrdinaryPrograms) {
  expect_agreement(pids_of(start_ordinary()));
}

// The cgroup exists until it has no more processes. Its name must be escaped.
TEST(AgreementOfCollectors, HoldsForControlGroupWithEscapedName) {
  const std::string folder = "/sys/fs/cgroup/physmem, test";
  if (::access("/sys/fs/cgroup/cgroup.procs", W_OK) != 0 || ::mkdir(folder.c_str(), 0700) != 0)
    GTEST_SKIP() << "cgroups of version 2 are not available in /sys/fs/cgroup";
  {
    const StoppedProgram program({"sh", "-c",
                                  "echo $$ >'" + folder + "/cgroup.procs'; echo process $$; " +
                                      "echo ready; kill -STOP $$"});
    expect_agreement(program.pids());
  }
  EXPECT_EQ(::rmdir(folder.c_str()), 0);
}

// One snapshot of all, so that pages and address spaces of many processes must be distinguished.
TEST(AgreementOfCollectors, HoldsForAllWorkloadsInOneSnapshot) {
  MachineSettings settings;
  for (const Workload& workload : workloads()) settings.apply(workload);
  Programs programs = start_ordinary();
  for (const Workload& workload : workloads()) {
    programs.push_back(start(workload));
    if (programs.back()->skip_reason().empty()) continue;
    std::cout << "left out: " << workload.name << ": " << programs.back()->skip_reason() << "\n";
    programs.pop_back();
  }
  expect_agreement(pids_of(programs));
}

// The system continues to run, so only the consistency of the snapshot is checked.
TEST(Collector, WritesConsistentSnapshotOfWholeSystem) {
  if (kIsHidden) GTEST_SKIP() << kHidden;
  EXPECT_THAT(contradictions(read_snapshot(output_of(collector_a()))), IsEmpty());
}

}  // namespace
}  // namespace physmem::conformance
