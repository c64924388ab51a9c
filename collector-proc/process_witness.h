// SPDX-License-Identifier: MIT
#pragma once

#include "collector-proc/process_reader.h"
#include "collector-proc/snapshot_writer.h"

namespace physmem::collect {

/// Writes what the kernel itself counts for a process, before or after its areas are read, as
/// process.PID.WHEN.NAME: physmem-analyze --ask verify compares it.
Status write_witness(const ProcTree& tree, ProcessReader& reader, const Process& process,
                     RollupTime time, SnapshotWriter& writer);

/// Writes how many entries of its page tables have a broken frame, or one that is being moved:
/// smaps counts entries without a page only if they have a frame.
void write_absent(Pid pid, std::uint64_t poisoned, std::uint64_t migrating, SnapshotWriter& writer);

}  // namespace physmem::collect
