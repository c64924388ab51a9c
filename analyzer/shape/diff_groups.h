// SPDX-License-Identifier: MIT
// Changes of processes as rows: one for each process, or for each command, user or cgroup.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/shape/use_shape.h"

namespace physmem {

struct GroupChange {
  std::string name;
  std::size_t processes = 0;  ///< of both snapshots
  Change change;
};

/// In the order of their names. Not of kProcess and kUnit.
std::vector<GroupChange> grouped(const SnapshotDiff& diff, UseGrouping group, const UseView& use);

/// "Command", "User", "Cgroup".
const char* title_of(UseGrouping group);

}  // namespace physmem
