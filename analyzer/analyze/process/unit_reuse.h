// SPDX-License-Identifier: MIT
// Pages of executable units that disappear and return between snapshots: code that is evicted
// although it is in use.
//
// A page is present if any process maps it. It is lost only if all processes that mapped the unit
// before still do, because the end of a program is not an eviction. A page that was lost and
// returned between two snapshots counts as present all the time. So the numbers are estimates, and
// lower bounds. Snapshots that list no pages are skipped.
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
  std::uint64_t lost = 0;      ///< pages lost, summed over all snapshots
  std::uint64_t came = 0;      ///< pages not present in the snapshot before
  std::uint64_t returned =
      0;  ///< those that were present, lost and present in three consecutive snapshots

  double ratio() const {
    return came == 0 ? 0 : static_cast<double>(returned) / static_cast<double>(came);
  }
  /// True if more than half of the pages read in had just been evicted.
  bool is_thrashing() const { return returned >= kMinReturned && returned * 2 > came; }
  /// Pages. Fewer can be due to a shell that starts and ends.
  static constexpr std::uint64_t kMinReturned = 16;
};

/// Memory: one byte per page of a file that was ever mapped.
class UnitReuse : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_end() override;

  /// Executable units that lost pages, ordered by returned pages, then by lost pages, highest
  /// first.
  std::vector<UnitReuseRow> rows() const;

 private:
  /// One bit per snapshot; bit 0 is the current one.
  using History = SparseTable<std::uint8_t, 512>;
  struct Unit {
    UnitReuseRow sums;
    History pages;
    std::set<ProcessId> users;         ///< processes that map it in the current snapshot
    std::set<ProcessId> users_before;  ///< those in the snapshot before
  };

  static void end_snapshot(Unit& unit);

  Header header_;
  std::map<UnitKey, Unit> units_;
  std::set<UnitKey> executable_;
  Unit* current_ = nullptr;
};

}  // namespace physmem
