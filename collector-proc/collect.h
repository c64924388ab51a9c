// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
  std::vector<Pid> pids;  // of processes or threads; empty: all
  bool with_pages = true;
};

/// What a snapshot lacks.
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
};

/// Writes one snapshot, header to end record.
Result<Losses> collect(const ProcTree& tree, const Machine& machine, const Scope& scope, Output& output,
                       Progress& progress);

}  // namespace physmem::collect
