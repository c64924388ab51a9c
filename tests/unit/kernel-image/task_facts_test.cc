// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr std::uint64_t kTick = 10'000'000;  // ns
constexpr std::uint64_t kCssOnline = 2;

/// The facts of the leader of a process or of another thread. The texts are copies.
struct Facts {
  pm_task record{};
  std::string comm, cgroup;
  std::uint64_t missing = 0, corrupt = 0;
};

Facts facts_of(FakeKernel& kernel, std::uint64_t pid) {
  const Opened image(kernel);
  pm_tasks tasks;
  EXPECT_EQ(pm_find_tasks(image.get(), &tasks), 0);
  Facts facts;
  pm_task_names names;
  image->memory.missing = 0;
  for (std::size_t i = 0; i < tasks.n; ++i)
    if (tasks.entries[i].pid == pid)
      pm_task_facts(image.get(), &tasks.entries[i], tasks.entries, tasks.n, &facts.record, &names);
  facts.comm.assign(facts.record.comm.at, facts.record.comm.len);
  if (facts.record.is_leader) facts.cgroup.assign(facts.record.cgroup.at, facts.record.cgroup.len);
  facts.missing = image->memory.missing;
  facts.corrupt = image->notes.corrupt;
  pm_free_tasks(&tasks);
  return facts;
}

void put_times(FakeKernel& kernel, std::uint64_t task, std::uint64_t utime, std::uint64_t stime,
               std::uint64_t runtime) {
  kernel.put(task, "task_struct.utime", utime * kTick);
  kernel.put(task, "task_struct.stime", stime * kTick);
  kernel.put(task, "task_struct.se/sched_entity.sum_exec_runtime", runtime * kTick);
}

TEST(TaskFacts, ContainsFieldsOfTask) {
  FakeKernel kernel;
  const FakeProcess parent = kernel.add_process({.pid = 6});
  const std::uint64_t parents_thread = kernel.add_thread(parent, {.pid = 60});
  const FakeProcess process =
      kernel.add_process({.pid = 7, .comm = "a \n name", .uid = 42, .parent = parents_thread});
  kernel.put(process.task, "task_struct.thread_info/thread_info.cpu", 11);
  kernel.put(process.task, "task_struct.min_flt", 21);
  kernel.put(process.task, "task_struct.maj_flt", 22);
  kernel.put(process.signal, "signal_struct.cmin_flt", 23);
  kernel.put(process.signal, "signal_struct.cmaj_flt", 24);
  kernel.put(process.task, "task_struct.start_boottime", 86'399'819'999'999);
  const Facts facts = facts_of(kernel, 7);
  const pm_task& t = facts.record;
  EXPECT_EQ(fmt::format("{} {} cpu {} faults {} {} {} {} tgid {} start {} ppid {} uid {}",
                        facts.comm, t.pid, t.cpu, t.min_flt, t.maj_flt, t.cmin_flt, t.cmaj_flt,
                        t.tgid, t.start_time, t.ppid, t.uid),
            "a \n name 7 cpu 11 faults 21 22 23 24 tgid 7 start 8639981 ppid 6 uid 42");
  EXPECT_EQ(t.mm, process.mm);
  EXPECT_TRUE(t.is_leader);
  EXPECT_EQ(facts.missing, 0u);
}

TEST(TaskFacts, AcceptsNameWithoutTerminator) {
  FakeKernel kernel;
  kernel.add_process({.pid = 7, .comm = "kworker/u8:0-event"});
  EXPECT_EQ(facts_of(kernel, 7).comm, "kworker/u8:0-eve");
}

struct Times {
  const char* what;
  std::uint64_t utime, stime, runtime, shown_utime, shown_stime;
  std::uint64_t expected_utime, expected_stime;
};

/// Times in ticks. The results are the same as from cputime_adjust().
constexpr Times kTimes[] = {
    {"nothing ran", 0, 0, 0, 0, 0, 0, 0},
    {"ticks determine how the runtime divides", 30, 10, 400, 0, 0, 300, 100},
    {"no tick in the kernel: all of it was user time", 5, 0, 400, 0, 0, 400, 0},
    {"no tick in user mode: all of it was system time", 0, 5, 400, 0, 0, 0, 400},
    {"no tick at all: user time", 0, 0, 3, 0, 0, 3, 0},
    {"reported times are kept until the runtime exceeds them", 30, 10, 400, 250, 150, 250, 150},
    {"system time never goes back", 30, 10, 400, 100, 150, 250, 150},
    {"user time never goes back", 10, 30, 400, 150, 100, 150, 250},
    {"numbers whose product has more than 64 bits", 1000000000, 3000000000, 2000000000, 0, 0,
     500000000, 1500000000},
};

TEST(TaskFacts, AdjustsTimesAsKernelDoes) {
  for (const Times& times : kTimes) {
    FakeKernel kernel;
    const FakeProcess process = kernel.add_process({.pid = 7});
    const std::uint64_t thread = kernel.add_thread(process, {.pid = 8});
    put_times(kernel, thread, times.utime, times.stime, times.runtime);
    kernel.put(thread, "task_struct.prev_cputime/prev_cputime.utime", times.shown_utime * kTick);
    kernel.put(thread, "task_struct.prev_cputime/prev_cputime.stime", times.shown_stime * kTick);
    const pm_task record = facts_of(kernel, 8).record;
    EXPECT_EQ(record.utime, times.expected_utime) << times.what;
    EXPECT_EQ(record.stime, times.expected_stime) << times.what;
  }
}

TEST(TaskFacts, DoesNotAdjustMeasuredTimes) {
  FakeKernel kernel;
  kernel.types.hide("prev_cputime");
  put_times(kernel, kernel.add_process({.pid = 7}).task, 30, 10, 400);
  const pm_task record = facts_of(kernel, 7).record;
  EXPECT_EQ(record.utime, 30u);
  EXPECT_EQ(record.stime, 10u);
}

TEST(TaskFacts, SumsLiveAndExitedThreadsOfProcess) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  const std::uint64_t thread = kernel.add_thread(process, {.pid = 8});
  for (const std::uint64_t task : {process.task, thread}) {
    kernel.put(task, "task_struct.min_flt", 10);
    kernel.put(task, "task_struct.maj_flt", 1);
    put_times(kernel, task, 10, 0, 100);
  }
  kernel.put(process.signal, "signal_struct.min_flt", 500);
  kernel.put(process.signal, "signal_struct.maj_flt", 50);
  kernel.put(process.signal, "signal_struct.stime", 20 * kTick);
  kernel.put(process.signal, "signal_struct.sum_sched_runtime", 200 * kTick);
  const pm_task leader = facts_of(kernel, 7).record;
  EXPECT_EQ(leader.group_min_flt, 520u);
  EXPECT_EQ(leader.group_maj_flt, 52u);
  EXPECT_EQ(leader.group_utime, 200u);
  EXPECT_EQ(leader.group_stime, 200u);
  EXPECT_EQ(leader.utime, 100u);
  EXPECT_FALSE(facts_of(kernel, 8).record.is_leader);
  EXPECT_EQ(facts_of(kernel, 8).record.group_min_flt, 0u);
}

TEST(TaskFacts, UsesCgroupOfUnifiedHierarchy) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "/");
  kernel.put_in_cgroup(process.task, kernel.cgroup("/user.slice/user-1000.slice"));
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "/user.slice/user-1000.slice");
  kernel.put_in_cgroup(process.task, kernel.cgroup("/user.slice"),
                       kernel.cgroup("/lxc/box", false));
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "/user.slice");
}

TEST(TaskFacts, UsesMemoryCgroupIfUnifiedHierarchyIsUnused) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  kernel.put_in_cgroup(process.task, kernel.cgroup("/"), kernel.cgroup("/lxc/box", false));
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "/lxc/box");
  kernel.types.hide("memory_cgrp_id");
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "/");
}

TEST(TaskFacts, MarksRemovedCgroup) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  const std::uint64_t cgroup = kernel.cgroup("/gone");
  kernel.put_in_cgroup(process.task, cgroup);
  kernel.put(cgroup, "cgroup.self/cgroup_subsys_state.flags", 0xFF & ~kCssOnline);
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "/gone (deleted)");
}

TEST(TaskFacts, HasNoCgroupIfKernelHasNone) {
  FakeKernel kernel;
  kernel.add_process({.pid = 7});
  kernel.types.hide("css_set");
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "");
}

TEST(TaskFacts, CountsLoopOfCgroupNodesAsCorrupt) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  const std::uint64_t cgroup = kernel.cgroup("/a/b");
  kernel.put_in_cgroup(process.task, cgroup);
  const std::uint64_t node = kernel.get(cgroup, "cgroup.kn");
  kernel.put(kernel.get(node, "kernfs_node.parent"), "kernfs_node.parent", node);
  const Facts facts = facts_of(kernel, 7);
  EXPECT_EQ(facts.cgroup, "");
  EXPECT_EQ(facts.corrupt, 1u);
}

TEST(TaskFacts, HasAtMost4095BytesOfCgroupPath) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  std::string path;
  for (int i = 0; i < 15; ++i) path += "/" + std::string(255, static_cast<char>('a' + i));
  kernel.put_in_cgroup(process.task, kernel.cgroup(path));
  EXPECT_EQ(facts_of(kernel, 7).cgroup, path);
  kernel.put_in_cgroup(process.task, kernel.cgroup(path + path));
  EXPECT_EQ(facts_of(kernel, 7).cgroup, "");
}

TEST(TaskFacts, HasZerosForInvalidPointers) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  for (const char* member :
       {"task_struct.real_cred", "task_struct.real_parent", "task_struct.cgroups"})
    kernel.put(process.task, member, 0xDEAD000000000100);
  const Facts facts = facts_of(kernel, 7);
  EXPECT_EQ(facts.record.uid, 0u);
  EXPECT_EQ(facts.record.ppid, 0u);
  EXPECT_GT(facts.missing, 0u);
}

}  // namespace
}  // namespace physmem::crash
