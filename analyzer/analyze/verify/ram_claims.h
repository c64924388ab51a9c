// SPDX-License-Identifier: MIT
// What of the ledger is compared with which total of the kernel, and how exactly.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/analyze/ram/ledger.h"

namespace physmem {

struct RamClaim {
  /// How the kernel keeps the total. Each CPU has a part of a count of nodes or zones
  /// (mm/vmstat.c), which it adds up later. The tolerances of the others were measured with such
  /// parts, or they have none.
  enum class Count { kExact, kOfNodes, kOfZones };
  using Pages = std::uint64_t (*)(const Ledger&);

  std::string_view claim;
  std::string_view witness;
  Pages ours;
  std::vector<std::string_view> totals;  ///< summed; the first must exist. None: /proc/slabinfo
  Count count = Count::kExact;
  std::uint64_t tolerance = 0;
  std::string_view rule = {};
  std::uint64_t per_cpu = 0;  ///< more tolerance
  /// Nothing comes and goes, and nothing moves, while frames are read, unless the total changes.
  bool is_fixed = false;
  /// Why it cannot be compared; empty: it can.
  std::string_view (*obstacle)(const Ledger&) = [](const Ledger&) { return std::string_view(); };
  /// Pages that went between this class and others, which no event of the allocator counts.
  Pages flow = [](const Ledger&) { return std::uint64_t{0}; };

  /// Pages that both may differ by although nothing is wrong.
  std::uint64_t tolerance_of(const Ledger& ledger) const;
  /// Why, for the larger part of them.
  std::string_view rule_of(const Ledger& ledger) const;

 private:
  std::uint64_t own_tolerance(const Ledger& ledger) const;
  std::uint64_t batches(const Ledger& ledger) const;
};

/// In the order of the table of --ask verify.
const std::vector<RamClaim>& ram_claims();

}  // namespace physmem
