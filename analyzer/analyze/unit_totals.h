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
  Name unit;  ///< the path, the first one where a file has several
  UnitKey key;
  UnitPages physical;        ///< distinct frames: memory that the unit costs the system
  UnitPages virtual_pages;   ///< of one process: the largest of each kind
  UnitPages in_one_process;  ///< resident pages of one process: the most of each kind; never above
                             ///< virtual_pages
  std::uint64_t processes = 0;  ///< that map it
  std::uint64_t resident = 0;   ///< sum over processes, shared pages counted in each
  std::uint64_t unique =
      0;  ///< pages that one process alone maps: what the unit costs each, summed
  PageShare share;
  bool is_share_known = true;  ///< false when the snapshot does not list all of its pages
};

/// Stack and heap belong to processes, not units, and are not in here.
class UnitTotals : public Analysis {
 public:
  bool wants_first_seen() const override { return true; }
  void on_process(const Process& process) override;

  /// The largest first.
  std::vector<UnitTotalsRow> rows() const;

 private:
  struct Unit {
    UnitTotalsRow row;
    UnitPages mapped;           ///< virtual pages of the process at hand
    UnitPages held;             ///< its resident ones
    std::uint64_t process = 0;  ///< the last that maps it, counted from 1
  };

  static void add(const Area& area, Unit& unit);
  Unit& unit_of(const Vma& file);

  std::unordered_map<UnitKey, Unit, UnitKeyHash> units_;
  std::vector<Unit*> mapped_;  ///< of the process at hand
  std::uint64_t processes_ = 0;
};

}  // namespace physmem
