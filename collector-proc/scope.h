// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Where facts are read: the files of /proc, the kernel's memory (by two ways), or the kernel
/// module; kAuto: the first that works of bpf, kcore and proc.
enum class Source { kNone, kProc, kKcore, kBpf, kKmod, kAuto };

constexpr const char* word_of(Source source) {
  constexpr const char* kWords[] = {"none", "proc", "kcore", "bpf", "kmod", "auto"};
  return kWords[static_cast<std::size_t>(source)];
}
constexpr bool is_kernel_memory(Source source) {
  return source == Source::kKcore || source == Source::kBpf;
}

/// What to put into a snapshot.
struct Scope {
  std::vector<Pid> pids = {};     // of processes or threads; empty: all
  Source source = Source::kProc;  // of processes
  bool with_areas = true;         // false: tasks and counters only
  bool with_pages = true;
  /// The whole of RAM: nothing, the kernel's totals, or every frame.
  enum class Ram { kNone, kTotals, kFrames };
  Ram ram = Ram::kNone;
  Source ram_source = Source::kAuto;  // of frames
  std::string sys_root = "/sys";      // for ram
  /// Files, and folders of files, whose cached pages are counted.
  std::vector<std::string> cached = {};
  bool with_holders = false;    // memory that processes hold by descriptors
  bool with_witnesses = false;  // what the kernel counts for each process and cgroup
};

}  // namespace physmem::collect
