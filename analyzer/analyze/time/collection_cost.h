// SPDX-License-Identifier: MIT
// What a snapshot cost its collector (G: collect.*).
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/analyze/analysis.h"

namespace physmem {

class CollectionCost : public Analysis {
 public:
  void on_counters(std::span<const Counter> counters) override {
    for (const Counter& counter : counters) {
      if (counter.name == "collect.wall_us") wall_us_ = counter.value;
      if (counter.name == "collect.cpu_us") cpu_us_ = counter.value;
    }
  }

  std::optional<std::uint64_t> wall_us() const { return wall_us_; }
  /// CPU time of all threads of the collector.
  std::optional<std::uint64_t> cpu_us() const { return cpu_us_; }

 private:
  std::optional<std::uint64_t> wall_us_;
  std::optional<std::uint64_t> cpu_us_;
};

}  // namespace physmem
