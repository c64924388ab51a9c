// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// What to put into a snapshot.
struct Scope {
  std::vector<Pid> pids = {};  // of processes or threads; empty: all
  bool with_areas = true;      // false: tasks and counters only
  bool with_pages = true;
  /// The whole of RAM: nothing, the kernel's totals, or every frame; by /proc alone, by kcore, by
  /// BPF, or by the best of these that works here.
  enum class Ram { kNone, kTotals, kProc, kKcore, kBpf, kFrames };
  Ram ram = Ram::kNone;
  std::string sys_root = "/sys";  // for ram
  bool with_witnesses = false;    // what the kernel counts for each process and cgroup
};

}  // namespace physmem::collect
