// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "collector-proc/recent_facts.h"
#include "collector-proc/rollup_reader.h"
#include "collector-proc/smaps_reader.h"
#include "collector-proc/stat_reader.h"

namespace physmem::collect {

/// One thread, from its files in /proc.
struct Thread {
  Pid tid = 0;
  TaskStat stat;
  std::uint64_t uid = 0;
};

/// A process before its VMAs are read.
struct Process {
  Pid pid = 0;
  UniqueFd dir;    // identifies the process: after its end all files in it read as gone
  TaskStat group;  // sums over all threads, including exited ones
  std::string cgroup;
  std::vector<Pid> tids;  // ascending, but the leader first
  Pid holder = 0;         // the first thread that has an address space; 0: none
  TaskStat holder_stat;   // read before the VMAs; a different start_stack after them means exec
};

/// The VMAs of a process, and the file with their pages.
struct AreaSource {
  UniqueFd pagemap;                  // not open if counts are read from smaps
  std::uint64_t page_tables_kb = 0;  // see SpaceSize
  CountedAreas areas;
  ReadBuffer text;  // units of VMAs point into it
};

/// Reads the files of processes, one at a time, and reuses its buffers. After kFailed see error().
class ProcessReader {
 public:
  explicit ProcessReader(const ProcTree& tree) : tree_(tree) {}

  /// Begins a snapshot. Users and cgroups may be cached for the given time; 0: not cached.
  void begin_snapshot(std::uint64_t now_ns, std::uint64_t max_age_ns);
  Access open(Pid pid, Process& into);
  Access thread(const Process& process, Pid tid, Thread& into);
  /// Reads pagemap and maps of the holder. pagemap is opened first: if exec replaces the address
  /// space between the two, the old pagemap reads as gone instead of as pages of the new VMAs.
  Access areas(const Process& process, AreaSource& into);
  /// Reads what the kernel counts for the address space, and the faults so far: first if it is
  /// before the walk, last if it is after it, so that none in between is missed.
  Access rollup(const Process& process, RollupTime time, Rollup& into);
  /// The number in a line of the holder's status, which every user may read: "VmPTE:" is what the
  /// kernel counts for its page tables. Nothing if there is no such line.
  std::optional<std::uint64_t> status_kb(const Process& process, const char* line);
  /// Reads smaps of the holder, if frame numbers are not available.
  Access counted_areas(const Process& process, std::uint64_t page_size, AreaSource& into);

  const Error& error() const { return error_; }

 private:
  void read_cgroup(Process& process);
  Access list_threads(Process& process);
  Access find_holder(Process& process);
  /// kUnsupported in place of kGone if the process still has an address space.
  Access missing_or(const Process& process, Access access);
  Access read_stat(const Process& process, const std::string& name, TaskStat& into);
  Access malformed(const Process& process, const std::string& name, const std::string& why);
  Access failed(const Process& process, const std::string& name, Access access);

  const ProcTree& tree_;
  ReadBuffer buffer_;
  std::uint64_t now_ns_ = 0;
  bool may_remember_ = false;
  RecentFacts<std::string> cgroups_;
  RecentFacts<std::uint64_t> uids_;
  Error error_;
};

/// The process of a process or thread id; nothing if there is no such task.
std::optional<Pid> process_of(const ProcTree& tree, Pid id);

/// Resident pages of the process, from its statm; 0 if there is no such process.
std::uint64_t resident_pages(const ProcTree& tree, Pid pid);

/// Sets PM_VMA_EXECUTABLE on the VMAs that map the program itself.
void mark_executable(const Process& process, AreaList& areas);

}  // namespace physmem::collect
