// SPDX-License-Identifier: MIT
// What one snapshot knows of faults: counters of the system and of each process, all of them
// cumulative.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process_match.h"

namespace physmem {

/// Since boot, but for the sizes. What a snapshot does not tell is nothing, never 0.
struct SystemCounters {
  using Count = std::optional<std::uint64_t>;

  Count refaults;  ///< pages read back that were evicted not long before (workingset_refault_anon +
                   ///< _file)
  Count scanned;   ///< pages that reclaim looked at (pgscan_kswapd + _direct)
  Count swapped_in;   ///< pages, pswpin
  Count swapped_out;  ///< pages, pswpout
  Count majors;       ///< pgmajfault
  Count some_us;      ///< PSI: some task stalled for memory, µs
  Count full_us;      ///< PSI: every task that was not idle did
  Count lru_kib;      ///< anonymous and file pages, active and inactive, now
  Count total_kib;    ///< MemTotal
  Count available_kib;
  Count swap_total_kib;
  Count swap_free_kib;
};

/// Of all threads of a process, dead ones too. In version 1 each thread stands for itself.
struct ProcessCounters {
  ProcessId id;
  std::string name;
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
  double cpu_ms = 0;                   ///< user and system time
  std::optional<std::uint64_t> at_ns;  ///< since boot: when they were read
};

struct FaultSample {
  std::optional<std::uint64_t> at_ns;  ///< since boot; not in version 1
  PageSize page_size;
  SystemCounters system;
  std::vector<ProcessCounters> processes;  ///< by id, ascending
};

/// Takes a sample of each snapshot that passes. Needs T: and G: lines only.
class FaultSampler : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_end() override;

  /// Of the snapshot that was read last; complete at on_end().
  const FaultSample& sample() const { return sample_; }

 private:
  void add_thread(const Task& task, std::uint64_t minors, std::uint64_t majors,
                  std::uint64_t ticks);

  std::uint64_t hz_ = 100;
  std::optional<std::uint64_t> read_at_ns_;  ///< of the tasks that come
  FaultSample sample_;
};

}  // namespace physmem
