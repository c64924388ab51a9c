// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// What memory.stat of a cgroup counts, of the group and of those below it, in pages. A
/// number that this kernel does not have is absent: page tables before Linux 5.15 and in version 1.
struct CgroupTotals {
  std::optional<std::uint64_t> anon, file, shmem, page_tables;
  /// What grows whenever memory of the group may come: in version 1 the pages that it was charged
  /// and uncharged for, in version 2 the CPU time of its processes in µs (of cpu.stat).
  std::optional<std::uint64_t> activity;
};
CgroupTotals parse_memory_stat(std::string_view text, bool is_version_1, std::uint64_t page_size);

/// The totals of all groups but the root, whose memory.stat counts all of the system, as
/// "cgroup.ID.WHEN.NAME" of formats/physmem-records.md. `when`: "before", with their parents, or
/// "after".
std::vector<Counter> read_cgroup_totals(int sys, std::string_view when, std::uint64_t page_size);

/// The parent, the use, the limits and the stalls of all groups but the root, as "cgroup.ID.NAME".
std::vector<Counter> read_cgroup_states(int sys);

}  // namespace physmem::collect
