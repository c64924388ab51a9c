// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem::collect {

/// The header's fields about the machine and the time.
struct Machine {
  std::string arch = {};    // as `uname -m`
  std::string kernel = {};  // as `uname -r`
  std::uint64_t page_size = 0;
  std::uint64_t hz = 0;         // unit of task times: 1/hz s
  std::uint64_t time_ns = 0;    // since 1970
  std::uint64_t uptime_ns = 0;  // since boot, with suspended time
  std::string host = {};        // as `uname -n`; empty if it has no name
  std::string machine_id = {};  // program/machine_id.h; empty: this machine has none
  std::string boot_id = {};     // as /proc/sys/kernel/random/boot_id; empty: not readable
  std::optional<std::uint64_t> cpu_ns = {};    // cpu_time_ns(); absent: the cost is not recorded
  std::optional<std::uint64_t> sequence = {};  // number of the snapshot in its series, from 0
  std::optional<std::uint64_t> lost = {};      // earlier snapshots of the series that were lost
};

/// This machine, now.
Machine this_machine();
std::uint64_t uptime_ns();
/// CPU time of this program, all threads.
std::uint64_t cpu_time_ns();

}  // namespace physmem::collect
