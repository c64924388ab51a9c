// SPDX-License-Identifier: MIT
// Tests that reach the limit of four million tasks.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/kernel-image/fake_kernel.h"
#include "tests/unit/kernel-image/walkers.h"

namespace physmem::crash {
namespace {

/// An endless list of data that looks like tasks.
TEST(Limits, EndsEndlessListAtFourMillionTasks) {
  FakeKernel kernel;
  kernel.add_process({.pid = 1});
  const Opened image(kernel);
  static const pm_layout* layout = nullptr;
  static std::uint64_t reads = 0;
  layout = image->layout;
  pm_dump endless = kernel.dump();
  endless.read = [](void*, pm_space, __u64 at, void* to, std::size_t n) {
    auto* bytes = static_cast<char*>(to);
    std::memset(bytes, 0, n);
    const std::uint32_t pid = static_cast<std::uint32_t>(at / kPage % PM_MAX_TASKS + 1);
    const std::uint64_t next = at + kPage + static_cast<std::uint64_t>(layout->task_next.offset);
    std::memcpy(bytes + layout->task_pid.offset, &pid, sizeof pid);
    std::memcpy(bytes + layout->task_tgid.offset, &pid, sizeof pid);
    std::memcpy(bytes + layout->task_next.offset, &next, sizeof next);
    ++reads;
    return true;
  };
  pm_layout moved = *layout;
  moved.at.init_task = FakeMemory::kDirectMap + FakeMemory::kBytes;
  image->layout = &moved;
  image->memory.dump = &endless;
  pm_tasks tasks;
  EXPECT_EQ(pm_find_tasks(image.get(), &tasks), 0);
  EXPECT_EQ(tasks.n, PM_MAX_TASKS);
  EXPECT_GE(image->notes.corrupt, 1u);
  EXPECT_LT(reads, 4u * PM_MAX_TASKS);
  pm_free_tasks(&tasks);
}

TEST(Limits, AllowsFourMillionAddressesInSeen) {
  pm_seen seen{};
  std::uint64_t added = 0;
  while (added < 5000000 && pm_seen_add(&seen, added * 64, 0)) ++added;
  EXPECT_EQ(added, PM_MAX_TASKS);
  EXPECT_TRUE(pm_seen_has(&seen, (added - 1) * 64));
  EXPECT_FALSE(pm_seen_has(&seen, added * 64));
  EXPECT_FALSE(pm_seen_add(&seen, added * 64, 0));
  pm_seen_free(&seen);
}

}  // namespace
}  // namespace physmem::crash
