// SPDX-License-Identifier: MIT
// Pages of executable units that went and came back, from snapshot to snapshot: code that is
// evicted though it is in use.
//
// A page is there when any process maps it. It went only if all processes that mapped the unit
// before still do: a program that ends takes its pages along, and that is no eviction. What
// happened between two snapshots is not seen: a page that went and came back within one interval
// counts as having stayed. So the numbers are at least what there was, and estimates. Snapshots
// that list no pages are passed over.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process_match.h"
#include "analyzer/model/sparse_table.h"

namespace physmem {

struct UnitReuseRow {
  std::string unit;
  std::uint64_t resident = 0;  ///< pages in the last snapshot
  std::uint64_t lost = 0;      ///< went, summed over all snapshots
  std::uint64_t came = 0;      ///< were not there in the snapshot before
  std::uint64_t returned = 0;  ///< of these: there, gone, there again in three snapshots in a row

  double ratio() const {
    return came == 0 ? 0 : static_cast<double>(returned) / static_cast<double>(came);
  }
  /// More than half of what is read in had just been evicted.
  bool is_thrashing() const { return returned >= kFewest && returned * 2 > came; }
  static constexpr std::uint64_t kFewest =
      16;  ///< pages; below, a shell that starts and ends would do
};

/// Memory: a byte for each page of a file that was ever mapped.
class UnitReuse : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_end() override;

  /// Executable units of which pages went; those that lost most of what came back first.
  std::vector<UnitReuseRow> rows() const;

 private:
  /// One bit a snapshot: bit 0 the one that is read.
  using History = SparseTable<std::uint8_t, 512>;
  struct Unit {
    UnitReuseRow sums;
    History pages;
    std::set<ProcessId> users;         ///< that map it, in the snapshot that is read
    std::set<ProcessId> users_before;  ///< in the one before
  };

  static void end_snapshot(Unit& unit);

  Header header_;
  std::map<UnitKey, Unit> units_;
  std::set<UnitKey> executable_;
  Unit* current_ = nullptr;
};

}  // namespace physmem
