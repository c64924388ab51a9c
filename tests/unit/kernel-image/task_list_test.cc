// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

/// Prints "TGID:PID" for each task, then the number of corrupt places and the error.
std::string tasks_of(FakeKernel& kernel) {
  const Opened image(kernel);
  pm_tasks tasks;
  const int error = pm_find_tasks(image.get(), &tasks);
  std::string text;
  for (std::size_t i = 0; i < tasks.n; ++i)
    text += fmt::format("{}:{} ", tasks.entries[i].tgid, tasks.entries[i].pid);
  if (image->notes.corrupt != 0) text += fmt::format("corrupt {} ", image->notes.corrupt);
  if (error != 0) text += fmt::format("error {} ", -error);
  pm_free_tasks(&tasks);
  return text.empty() ? text : text.substr(0, text.size() - 1);
}

std::uint64_t next_of(FakeKernel& kernel, std::uint64_t task) {
  return kernel.at(task, "task_struct.tasks/list_head.next");
}

TEST(TaskWalk, SortsByProcessAndId) {
  FakeKernel kernel;
  const FakeProcess last = kernel.add_process({.pid = 900});
  const FakeProcess first = kernel.add_process({.pid = 20});
  for (const std::uint64_t tid : {905u, 3u, 901u}) kernel.add_thread(last, {.pid = tid});
  kernel.add_thread(first, {.pid = 21});
  EXPECT_EQ(tasks_of(kernel), "20:20 20:21 900:900 900:3 900:901 900:905");
}

TEST(TaskWalk, HasNoAddressSpaceForKernelThreadsAndZombies) {
  FakeKernel kernel;
  kernel.add_process({.pid = 1});
  kernel.add_process(
      {.pid = 2, .flags = 0x00200040});  // a kernel thread that borrows an address space
  kernel.add_process({.pid = 3, .has_mm = false});
  const Opened image(kernel);
  pm_tasks tasks;
  ASSERT_EQ(pm_find_tasks(image.get(), &tasks), 0);
  ASSERT_EQ(tasks.n, 3u);
  EXPECT_NE(tasks.entries[0].mm, 0u);
  EXPECT_EQ(tasks.entries[1].mm, 0u);
  EXPECT_EQ(tasks.entries[2].mm, 0u);
  pm_free_tasks(&tasks);
}

TEST(TaskWalk, WalksBrokenListFromBothEnds) {
  for (const std::uint64_t broken : {std::uint64_t{0}, std::uint64_t{0xDEAD000000000100}}) {
    FakeKernel kernel;
    std::uint64_t tasks[6];
    for (std::uint64_t pid = 1; pid < 6; ++pid) tasks[pid] = kernel.add_process({.pid = pid}).task;
    kernel.memory.put(next_of(kernel, tasks[2]), 8, broken);
    EXPECT_EQ(tasks_of(kernel), "1:1 2:2 3:3 4:4 5:5 corrupt 1");
    kernel.put(tasks[4], "task_struct.tasks/list_head.prev", broken);
    EXPECT_EQ(tasks_of(kernel), "1:1 2:2 4:4 5:5 corrupt 1");
  }
}

TEST(TaskWalk, SkipsTaskThatDumpLacks) {
  FakeKernel kernel;
  std::uint64_t tasks[4];
  for (std::uint64_t pid = 1; pid < 4; ++pid) {
    kernel.memory.allocate("a block of its own", kPage, kPage);
    tasks[pid] = kernel.add_process({.pid = pid, .has_mm = false}).task;
  }
  kernel.memory.lose(tasks[2]);
  EXPECT_EQ(tasks_of(kernel), "1:1 3:3 corrupt 1");
}

TEST(TaskWalk, EndsIfTaskListLoops) {
  FakeKernel kernel;
  std::uint64_t tasks[6];
  for (std::uint64_t pid = 1; pid < 6; ++pid) tasks[pid] = kernel.add_process({.pid = pid}).task;
  kernel.memory.put(next_of(kernel, tasks[3]), 8, next_of(kernel, tasks[2]));
  EXPECT_EQ(tasks_of(kernel), "1:1 2:2 3:3 4:4 5:5 corrupt 1");
  kernel.memory.put(next_of(kernel, tasks[1]), 8, next_of(kernel, tasks[1]));
  EXPECT_EQ(tasks_of(kernel), "1:1 2:2 3:3 4:4 5:5 corrupt 1");
}

TEST(TaskWalk, EndsIfThreadListLoops) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 1});
  std::uint64_t threads[4];
  for (std::uint64_t i = 0; i < 4; ++i) threads[i] = kernel.add_thread(process, {.pid = 10 + i});
  const std::string node = "task_struct.thread_node";
  kernel.put(threads[2], node + "/list_head.next", kernel.at(threads[1], node));
  EXPECT_EQ(tasks_of(kernel), "1:1 1:10 1:11 1:12 corrupt 1");
  kernel.put(threads[2], node + "/list_head.next", kernel.at(process.task, node));
  EXPECT_EQ(tasks_of(kernel), "1:1 1:10 1:11 1:12 corrupt 1");
  kernel.put(process.signal, "signal_struct.thread_head/list_head.next", 0);
  EXPECT_EQ(tasks_of(kernel), "1:1 corrupt 1");
}

TEST(TaskWalk, SkipsThreadsOfAnotherProcess) {
  FakeKernel kernel;
  const FakeProcess one = kernel.add_process({.pid = 1}), other = kernel.add_process({.pid = 2});
  const std::uint64_t thread = kernel.add_thread(other, {.pid = 20});
  kernel.put(one.task, "task_struct.thread_node/list_head.next",
             kernel.at(thread, "task_struct.thread_node"));
  EXPECT_EQ(tasks_of(kernel), "1:1 2:2 2:20 corrupt 1");
}

TEST(TaskWalk, EndsListAtInvalidIds) {
  for (const std::uint64_t pid : {0u, PM_MAX_TASKS + 1, 0xFFFFFFFFu}) {
    FakeKernel kernel;
    for (const std::uint64_t good : {1u, 2u, 3u}) kernel.add_process({.pid = good});
    const std::uint64_t bad = kernel.add_process({.pid = 4}).task;
    kernel.add_process({.pid = 5});
    kernel.put(bad, "task_struct.pid", pid);
    EXPECT_EQ(tasks_of(kernel), "1:1 2:2 3:3 5:5 corrupt 1");
    kernel.put(bad, "task_struct.pid", 4);
    kernel.put(bad, "task_struct.tgid", pid);
    EXPECT_EQ(tasks_of(kernel), "1:1 2:2 3:3 5:5 corrupt 1");
  }
}

TEST(TaskWalk, FailsIfThereAreNoTasks) {
  FakeKernel kernel;
  EXPECT_EQ(tasks_of(kernel), fmt::format("error {}", ENODATA));
  kernel.put(kernel.init_task(), "task_struct.tasks/list_head.next", 0x10);
  EXPECT_EQ(tasks_of(kernel), fmt::format("corrupt 1 error {}", ENODATA));
}

TEST(TaskWalk, CanBeInterrupted) {
  FakeKernel kernel;
  for (const std::uint64_t pid : {1u, 2u, 3u}) kernel.add_process({.pid = pid});
  kernel.checks_left = 2;
  EXPECT_EQ(tasks_of(kernel), fmt::format("error {}", EINTR));
}

}  // namespace
}  // namespace physmem::crash
