// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collector-proc/machine.h"
#include "collector-proc/output.h"
#include "collector-proc/proc_tree.h"
#include "collector-proc/progress.h"
#include "collector-proc/result.h"

namespace physmem::collect {

/// What to put into a snapshot.
struct Scope {
  std::vector<Pid> pids = {};  // of processes or threads; empty: all
  bool with_areas = true;      // false: tasks and counters only
  bool with_pages = true;
};

/// What snapshots lack.
struct Losses {
  bool frames_hidden = false;
  std::uint64_t task_exited = 0;
  std::uint64_t areas_hidden = 0;      // processes
  std::uint64_t in_transit = 0;        // page-table entries
  std::uint64_t frame_unreadable = 0;  // pages whose count and flags the kernel does not have
  std::uint64_t frame_missing = 0;     // pages left out, their frame number was hidden
  std::uint64_t sharing_unknown = 0;   // processes that may share another's address space
  std::uint64_t ksm_unknown = 0;       // 1: this kernel does not tell merged pages from other anonymous ones

  /// Whether facts are missing that more privilege would have given; tasks that end are no loss.
  bool is_incomplete() const { return frames_hidden || areas_hidden > 0 || frame_missing > 0; }

  /// What a series lacks: processes that hide are mostly the same every time, so the most of them count; all else adds
  /// up.
  Losses& operator+=(const Losses& other);
};

/// Writes snapshots of one tree, from header to end record, as often as it is asked; keeps its memory between them.
class Collector {
 public:
  /// The tree must outlive it.
  Collector(const ProcTree& tree, Scope scope);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  /// What `machine` says goes into the header: this_machine() for a running one. Processes that the scope names must be
  /// there the first time; later they may end.
  Result<Losses> snapshot(const Machine& machine, Output& output, Progress& progress);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};

}  // namespace physmem::collect
