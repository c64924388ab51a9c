// SPDX-License-Identifier: MIT
// The fault counters of one snapshot, for the system and each process. All are cumulative.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process_match.h"

namespace physmem {

/// Counts since boot, and sizes. A value that is not in the snapshot is nothing, never 0.
struct SystemCounters {
  using Count = std::optional<std::uint64_t>;

  /// Pages that were read back soon after eviction (workingset_refault_anon + _file).
  Count refaults;
  Count scanned;  ///< pages scanned because the machine is short (pgscan_kswapd + _direct)
  /// Pages scanned for any reason (pgscan_anon + _file): also for the limits of cgroups.
  Count all_scanned;
  Count other_scanned;  ///< pages scanned for huge pages, or on request of a user
  Count swapped_in;     ///< pages, pswpin
  Count swapped_out;    ///< pages, pswpout
  Count majors;         ///< pgmajfault
  Count some_us;        ///< PSI: some task stalled for memory, µs
  Count full_us;        ///< PSI: all non-idle tasks stalled, µs
  Count lru_kib;        ///< anonymous and file pages, active and inactive, now
  Count total_kib;      ///< MemTotal
  Count available_kib;
  Count swap_total_kib;
  Count swap_free_kib;
};

/// Sums over all threads of a process, exited ones included. In version 1, each thread is separate.
struct ProcessCounters {
  ProcessId id;
  std::string name;
  std::string cgroup;
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
  double cpu_ms = 0;                   ///< user and system time
  std::optional<std::uint64_t> at_ns;  ///< time of the reading, since boot
};

/// What the kernel counts for a cgroup. Only in version 2 of cgroups, and with PSI.
struct GroupCounters {
  SystemCounters::Count some_us;  ///< some task of the group, or of one below it, stalled
  /// Times that a task was held back because its group, or one above, exceeded its memory.high.
  SystemCounters::Count high;
};

struct FaultSample {
  std::optional<std::uint64_t> at_ns;  ///< since boot; nothing in version 1
  PageSize page_size;
  SystemCounters system;
  std::vector<ProcessCounters> processes;       ///< by id, ascending
  std::map<std::string, GroupCounters> groups;  ///< of the processes, by path
};

/// Takes a sample of each snapshot. Uses only T: and G: lines.
class FaultSampler : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_end() override;

  /// The sample of the last snapshot. Complete at on_end().
  const FaultSample& sample() const { return sample_; }

 private:
  void add_thread(const Task& task, std::uint64_t minors, std::uint64_t majors,
                  std::uint64_t ticks);

  std::uint64_t hz_ = 100;
  std::optional<std::uint64_t> read_at_ns_;  ///< for the tasks that follow
  GroupCounters group_;                      ///< of the group of the next task
  FaultSample sample_;
};

}  // namespace physmem
