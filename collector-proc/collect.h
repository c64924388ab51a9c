// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "collector-proc/losses.h"
#include "collector-proc/machine.h"
#include "collector-proc/proc_tree.h"
#include "collector-proc/progress.h"
#include "collector-proc/scope.h"
#include "formats/output/output.h"
#include "program/errors.h"

namespace physmem::collect {

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
