// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Where facts are read: the files of /proc, or the kernel's memory.
enum class Source { kNone, kProc, kKcore, kBpf };

constexpr const char* word_of(Source source) {
  constexpr const char* kWords[] = {"none", "proc", "kcore", "bpf"};
  return kWords[static_cast<std::size_t>(source)];
}
constexpr bool is_kernel_memory(Source source) {
  return source >= Source::kKcore;
}

/// What to put into a snapshot.
struct Scope {
  std::vector<Pid> pids = {};     // of processes or threads; empty: all
  Source source = Source::kProc;  // of processes
  bool with_areas = true;         // false: tasks and counters only
  bool with_pages = true;
  /// The whole of RAM: nothing, the kernel's totals, or every frame; by /proc alone, by kcore, by
  /// BPF, or by the best of these that works here.
  enum class Ram { kNone, kTotals, kProc, kKcore, kBpf, kFrames };
  Ram ram = Ram::kNone;
  std::string sys_root = "/sys";  // for ram
  bool with_witnesses = false;    // what the kernel counts for each process and cgroup
};

}  // namespace physmem::collect
