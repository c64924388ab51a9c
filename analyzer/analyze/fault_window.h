// SPDX-License-Identifier: MIT
// What happened between two samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/fault_sample.h"

namespace physmem {

/// Rates are per second, shares are parts of 1. What both samples must tell and one does not, is
/// nothing.
struct SystemWindow {
  using Rate = std::optional<double>;

  Rate refaults;
  Rate scanned;
  Rate swapped_in;
  Rate swapped_out;
  Rate majors;
  Rate some;           ///< part of the time in which some task stalled for memory
  Rate full;           ///< ... in which all did
  Rate refault_share;  ///< refaults a second, of the pages on LRU lists at the window's begin
  Rate lru_growth;     ///< pages a second that the LRU lists grew by; below 0 when they shrank
  Rate available;      ///< part of memory that is available, at its end
  Rate swap_free;      ///< part of swap that is free, at its end; 0 where there is no swap
};

struct ProcessWindow {
  ProcessId id;
  std::string name;
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
  double cpu_ms = 0;
  double seconds = 1;  ///< between the two times that the process was read
  double share = 0;    ///< of all major faults

  double minor_rate() const { return static_cast<double>(minors) / seconds; }
  double major_rate() const { return static_cast<double>(majors) / seconds; }
  /// L of Denning and Kahn: processor time from one major fault to the next, in ms. Nothing without
  /// any.
  std::optional<double> lifetime_ms() const {
    return majors == 0 ? std::nullopt : std::optional(cpu_ms / static_cast<double>(majors));
  }
};

struct FaultWindow {
  double begin = 0;  ///< s since the first sample of the series
  double end = 0;
  bool has_times =
      true;  ///< else each window counts as one second: the samples do not say when they were
  SystemWindow system;
  /// Those that both samples have, by id. One that is new, or whose counters fell, has no past to
  /// compare.
  std::vector<ProcessWindow> processes;

  double seconds() const { return end - begin; }
};

/// Of two samples in the order of time; `begin` is the end of the window before.
FaultWindow difference(const FaultSample& before, const FaultSample& after, double begin);

}  // namespace physmem
