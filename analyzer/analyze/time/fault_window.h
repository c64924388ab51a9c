// SPDX-License-Identifier: MIT
// The changes between two samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/time/fault_sample.h"

namespace physmem {

/// Rates are per second, shares are fractions of 1. A value is nothing if one of the samples lacks
/// it.
struct SystemWindow {
  using Rate = std::optional<double>;

  Rate refaults;
  Rate scanned;        ///< because the machine is short of memory
  Rate group_scanned;  ///< because cgroups are at their limits
  Rate swapped_in;
  Rate swapped_out;
  Rate majors;
  Rate some;           ///< fraction of time in which some task stalled for memory
  Rate full;           ///< fraction of time in which all tasks stalled
  Rate refault_share;  ///< refaults per second / pages on LRU lists at the start of the window
  Rate lru_growth;     ///< growth of the LRU lists, pages per second; negative if they shrank
  Rate available;      ///< available fraction of memory at the end of the window
  Rate swap_free;      ///< free fraction of swap at the end of the window; 0 without swap
  /// The cgroup whose processes had the most major faults; empty: none had any.
  std::string faulting_group;
  /// The cgroup that memory.high held back, and for which fraction of time some task of it
  /// stalled. Of several, the one that stalled most. Nothing if the samples have no groups.
  std::string held_group;
  Rate held_back;
};

struct ProcessWindow {
  ProcessId id;
  std::string name;
  std::string cgroup;
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
  double cpu_ms = 0;
  double seconds = 1;  ///< between the two readings of the process
  double share = 0;    ///< fraction of all major faults

  double minor_rate() const { return static_cast<double>(minors) / seconds; }
  double major_rate() const { return static_cast<double>(majors) / seconds; }
  /// L of Denning and Kahn: CPU time from one major fault to the next, in ms. Nothing without
  /// major faults.
  std::optional<double> lifetime_ms() const {
    return majors == 0 ? std::nullopt : std::optional(cpu_ms / static_cast<double>(majors));
  }
};

struct FaultWindow {
  double begin = 0;  ///< s since the first sample of the series
  double end = 0;
  /// False: the samples have no times, and each window counts as one second.
  bool has_times = true;
  SystemWindow system;
  /// Processes in both samples, by id. Processes whose counters decreased are left out.
  std::vector<ProcessWindow> processes;

  double seconds() const { return end - begin; }
};

/// The window between two samples in order of time. `begin` is the end of the window before.
FaultWindow difference(const FaultSample& before, const FaultSample& after, double begin);

}  // namespace physmem
