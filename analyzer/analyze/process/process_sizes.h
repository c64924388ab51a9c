// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "analyzer/parse/events.h"

namespace physmem {

/// kB. What is not known is nothing.
struct ProcessSizes {
  std::optional<std::uint64_t> uss, pss, rss, swap;
};

/// The counters process.PID.rss_kB, swap_kB, uss_kB and pss_kB: of a recording of physmem-top, and
/// of processes whose areas the collector was not permitted to read.
class ProcessSizeCounters {
 public:
  void add(std::span<const Counter> counters);
  bool is_empty() const { return sizes_.empty(); }
  void clear() { sizes_.clear(); }
  /// Nothing is known of a process without counters.
  ProcessSizes of(std::uint64_t pid) const;

 private:
  std::unordered_map<std::uint64_t, ProcessSizes> sizes_;
};

}  // namespace physmem
