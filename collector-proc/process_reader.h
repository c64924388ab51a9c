// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "collector-proc/recent_facts.h"
#include "collector-proc/smaps_reader.h"
#include "collector-proc/stat_reader.h"

namespace physmem::collect {

/// One thread, as its own files tell it.
struct Thread {
  Pid tid = 0;
  TaskStat stat;
  std::uint64_t uid = 0;
};

/// A process before its areas are read.
struct Process {
  Pid pid = 0;
  UniqueFd dir;    // names the process for ever: after its end everything below reads as gone
  TaskStat group;  // sums over all threads, dead ones too
  std::string cgroup;
  std::vector<Pid> tids;  // ascending, but the leader first
  Pid holder = 0;         // the first thread that has an address space; 0: none
  TaskStat holder_stat;   // read before the areas: a different start_stack afterwards means exec in
                          // between
};

/// The areas of a process, and the way to their pages.
struct AreaSource {
  UniqueFd pagemap;  // not opened when counts come from smaps
  CountedAreas areas;
  ReadBuffer text;  // the areas' units point into it
};

/// Reads the files of one process after the other; keeps its buffers. kFailed comes with error().
class ProcessReader {
 public:
  explicit ProcessReader(const ProcTree& tree) : tree_(tree) {}

  /// Another snapshot: users and control groups may be as old as that, 0 for not at all.
  void begin_snapshot(std::uint64_t now_ns, std::uint64_t max_age_ns);
  Access open(Pid pid, Process& into);
  Access thread(const Process& process, Pid tid, Thread& into);
  /// pagemap and maps of the holder. pagemap is opened first: when exec replaces the address space
  /// between the two, the old pagemap reads as gone rather than as pages of the new areas.
  Access areas(const Process& process, AreaSource& into);
  /// smaps of the holder, for want of frame numbers.
  Access counted_areas(const Process& process, std::uint64_t page_size, AreaSource& into);

  const Error& error() const { return error_; }

 private:
  void read_cgroup(Process& process);
  Access list_threads(Process& process);
  Access find_holder(Process& process);
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

/// The process a process or thread id belongs to; nothing when there is no such task.
std::optional<Pid> process_of(const ProcTree& tree, Pid id);

/// That it has in memory, as its statm says; 0 when there is no such process.
std::uint64_t resident_pages(const ProcTree& tree, Pid pid);

/// Sets PM_VMA_EXECUTABLE on the areas that map the program itself.
void mark_executable(const Process& process, AreaList& areas);

}  // namespace physmem::collect
