// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collector-proc/proc_tree.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// The header's fields about the machine and the time.
struct Machine {
  std::string arch = {};    // as `uname -m`
  std::string kernel = {};  // as `uname -r`
  std::uint64_t page_size = 0;
  std::uint64_t hz = 0;         // unit of task times: 1/hz s
  std::uint64_t time_ns = 0;    // since 1970
  std::uint64_t uptime_ns = 0;  // since boot, with suspended time
  std::string host = {};        // as `uname -n`; empty: none, or unknown
  std::string machine_id = {};  // program/machine_id.h; empty: none, or unknown
  std::string boot_id = {};     // as /proc/sys/kernel/random/boot_id; empty: not readable
  std::optional<std::uint64_t> cpu_ns = {};    // cpu_time_ns(); absent: the cost is not recorded
  std::optional<std::uint64_t> sequence = {};  // number of the snapshot in its series, from 0
  std::optional<std::uint64_t> lost = {};      // earlier snapshots of the series that were lost
};

/// The machine of the tree, now. Its names are taken from process 1, whose names are the machine's.
/// A copy of /proc describes its machine only by the files that it contains; arch, page_size and hz
/// are then this machine's.
Machine machine_of(const ProcTree& tree);
/// The header of a snapshot of its /proc: without pages and areas, until the caller sets them. It
/// refers to the texts of `machine`.
pm_header header_of(const Machine& machine);
std::uint64_t uptime_ns();
/// CPU time of this program, all threads.
std::uint64_t cpu_time_ns();

}  // namespace physmem::collect
