// SPDX-License-Identifier: MIT
// Memory of each executable unit over all processes (I16, I23; figure 6 of the paper).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// Pages of a unit by the paper's three kinds.
struct UnitPages {
  std::uint64_t bss = 0, data = 0, text = 0;
  std::uint64_t total() const { return bss + data + text; }
};

struct UnitTotalsRow {
  Name unit;  ///< the path, or the first one if a file has several
  UnitKey key;
  UnitPages physical;       ///< distinct frames: the cost for the system
  UnitPages virtual_pages;  ///< maximum over processes for each kind
  /// Resident pages of one process: the maximum for each kind. Never above virtual_pages.
  UnitPages in_one_process;
  std::uint64_t processes = 0;  ///< those that map it
  std::uint64_t resident = 0;   ///< sum over processes; shared pages count in each
  /// Pages that only one process maps, summed over processes.
  std::uint64_t unique = 0;
  PageShare share;
  bool is_share_known = true;  ///< false if the snapshot does not list all of its pages
};

/// Stack and heap belong to processes, not to units, and are not included.
class UnitTotals : public Analysis {
 public:
  bool needs_first_seen() const override { return true; }
  bool needs_unique() const override { return true; }
  void on_process(const Process& process) override;

  /// Ordered by size, largest first.
  std::vector<UnitTotalsRow> rows() const;

 private:
  struct Unit {
    UnitTotalsRow row;
    UnitPages mapped;           ///< virtual pages of the current process
    UnitPages held;             ///< its resident pages
    std::uint64_t process = 0;  ///< number of the last process that maps it, from 1
  };

  static void add(const Area& area, Unit& unit);
  Unit& unit_of(const Vma& file);

  std::unordered_map<UnitKey, Unit, UnitKeyHash> units_;
  std::vector<Unit*> mapped_;  ///< units of the current process
  std::uint64_t processes_ = 0;
};

}  // namespace physmem
