// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analyze/ram/memory_totals.h"

namespace physmem {

/// What RAM is used for by the kernel's own totals, in two snapshots.
class TotalsDiff : public Analysis {
 public:
  void on_header(const Header& header) override {
    before_ = after_;
    after_.on_header(header);
  }
  void on_counters(std::span<const Counter> counters) override { after_.on_counters(counters); }

  struct Part {
    std::size_t part = 0;      ///< index of kMemoryPartTexts
    std::uint64_t before = 0;  ///< kB
    std::uint64_t after = 0;
  };
  /// Empty if one of the snapshots has no totals.
  std::vector<Part> parts() const;

 private:
  MemoryTotals before_, after_;
};

}  // namespace physmem
