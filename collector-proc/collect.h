// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "collector-proc/losses.h"
#include "collector-proc/machine.h"
#include "collector-proc/proc_tree.h"
#include "collector-proc/progress.h"
#include "formats/output/output.h"
#include "program/errors.h"

namespace physmem::collect {

/// What to put into a snapshot.
struct Scope {
  std::vector<Pid> pids = {};  // of processes or threads; empty: all
  bool with_areas = true;      // false: tasks and counters only
  bool with_pages = true;
  /// The whole of RAM: nothing, the kernel's totals, or every frame; by /proc alone, by kcore, or
  /// by the better of the two that works here.
  enum class Ram { kNone, kTotals, kProc, kKcore, kFrames };
  Ram ram = Ram::kNone;
  std::string sys_root = "/sys";  // for ram
  bool with_witnesses = false;    // what the kernel counts for each process and control group
};

/// Writes snapshots of one tree, from header to end record. Reuses its memory for the next
/// snapshot.
class Collector {
 public:
  /// The tree must outlive it. jobs: the number of processes that are walked in parallel. The
  /// output does not depend on it.
  Collector(const ProcTree& tree, Scope scope, std::size_t jobs = 1);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  /// machine_of() its tree, now.
  Machine machine() const;
  /// Writes a snapshot. The header has the fields of `machine`. Processes in the scope must exist
  /// at the first snapshot; later they may end.
  Result<Losses> snapshot(const Machine& machine, Output& output, Progress& progress);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};

}  // namespace physmem::collect
