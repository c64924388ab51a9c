// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem::collect {

/// Before or after the areas and pages of a process are read.
enum class RollupTime { kBefore, kAfter };

/// What the kernel itself counts for a process, in kB: /proc/PID/smaps_rollup. Rss leaves out huge
/// pages of hugetlbfs, zero pages and memory of devices.
struct Rollup {
  std::uint64_t rss_kb = 0;
  std::uint64_t pss_kb = 0;
  std::uint64_t faults = 0;  ///< minor and major ones of all its threads, from its stat
};

/// Totals of the machine. While no number changes, no process begins or ends, and none maps a page.
struct TaskCounts {
  std::uint64_t tasks = 0;              ///< that exist
  std::uint64_t newest = 0;             ///< the last id that a new one got
  std::optional<std::uint64_t> faults;  ///< of all processes since boot; nothing: not counted
};

/// Returns nothing if the text has no lines Rss: and Pss:.
std::optional<Rollup> parse_rollup(std::string_view text);

/// From /proc/loadavg: "0.61 0.46 0.43 2/147 21046".
std::optional<TaskCounts> parse_task_counts(std::string_view text);

}  // namespace physmem::collect
