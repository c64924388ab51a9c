// SPDX-License-Identifier: MIT
// Compares the ledger with the kernel's own totals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/ledger.h"
#include "analyzer/analyze/mapping_join.h"

namespace physmem {

/// One comparison, in pages.
struct RamVerdict {
  enum class Kind {
    kAgrees,
    kMoved,       ///< the total changed while frames were read, and the ledger fits the change
    kDiffers,     ///< the ledger is wrong, or the kernel's total is
    kUnknowable,  ///< cannot be compared; see `rule`
  };
  std::string_view claim;    ///< what the ledger counts: "free"
  std::string_view witness;  ///< the kernel's total: "MemFree"
  Kind kind = Kind::kUnknowable;
  std::uint64_t ours = 0;
  RamTotal theirs;
  std::uint64_t tolerance = 0;   ///< pages that an idle system may differ by
  std::string_view rule;         ///< why the tolerance, or why it cannot be compared
  std::uint64_t frames_off = 0;  ///< where each frame is compared: those that differ

  /// Pages above the witness, or below it.
  std::int64_t difference() const;
};

/// All comparisons that the snapshot allows, in a fixed order. Empty without R: lines.
std::vector<RamVerdict> ram_verdicts(const Ledger& ledger);

/// Mappings in page tables against the counts of frames.
RamVerdict mapping_verdict(const MappingJoin& join);

std::size_t count(const std::vector<RamVerdict>& verdicts, RamVerdict::Kind kind);

}  // namespace physmem
