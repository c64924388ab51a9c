// SPDX-License-Identifier: MIT
// A series of snapshots as counters over time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/time/memory_sample.h"

namespace physmem {

struct CounterValue {
  std::string name;
  std::uint64_t value = 0;
  bool is_bytes = true;  ///< otherwise a number of events
};

/// The counters of a process, or of the machine.
struct CounterGroup {
  std::string key;        ///< unique, and the same in each sample
  std::string name;       ///< to be shown
  std::uint32_t pid = 0;  ///< 0: not a process
  std::vector<CounterValue> counters;
};

struct CounterSample {
  std::uint64_t time_ns = 0;
  std::optional<std::uint64_t> wall_ns;
  std::vector<CounterGroup> groups;
};

/// Machine, classes of RAM, then processes. A value that is not known has no counter.
CounterSample counter_sample(const MemorySample& sample);

}  // namespace physmem
