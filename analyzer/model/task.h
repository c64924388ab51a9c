// SPDX-License-Identifier: MIT
// T: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem {

/// Fields that version 2 adds.
struct TaskIdentity {
  std::uint64_t tgid = 0;
  std::uint64_t start_time = 0;  ///< 1/hz s since boot
  std::uint64_t ppid = 0;
  std::uint64_t uid = 0;
};

/// Fields on the line of a thread-group leader: sums over its threads, exited ones included.
struct TaskGroup {
  std::uint64_t min_flt = 0;
  std::uint64_t maj_flt = 0;
  std::uint64_t utime = 0;
  std::uint64_t stime = 0;
  std::string cgroup;
};

struct Task {
  std::string comm;
  std::uint64_t pid = 0;
  std::uint64_t mm = 0;  ///< identity of the address space; 0: none (kernel thread, zombie)
  std::uint64_t cpu = 0;
  std::uint64_t min_flt = 0;
  std::uint64_t maj_flt = 0;
  std::uint64_t cmin_flt = 0;  ///< of children that were waited for
  std::uint64_t cmaj_flt = 0;
  std::uint64_t utime = 0;  ///< 1/hz s
  std::uint64_t stime = 0;
  std::optional<TaskIdentity> identity;
  std::optional<TaskGroup> group;
};

}  // namespace physmem
