// SPDX-License-Identifier: MIT
#include "fleet/model/tables.h"

#include <array>

namespace physmem::fleet {

std::span<const FactColumns> fact_tables() {
  static const std::array<FactColumns, kFactTables> kTables{{
      {"units", {"unit"}, {"text", "data", "bss", "processes", "uss", "pss", "rss", "alerts"}},
      {"regions", {"region"}, {"frames", "rss"}},
      {"counters", {"counter"}, {"value"}},
      {"names",
       {"name", "cgroup"},
       {"processes", "uss", "pss", "rss", "swap", "max_rss", "minor_faults", "major_faults"}},
      {"alerts", {"unit", "process", "rule"}, {"state"}},
      {"leaks", {"process", "what"}, {"slope", "bytes", "confidence"}},
      {"classes", {"class"}, {"bytes", "owned"}},
      {"caches", {"kind", "name"}, {"bytes"}},
  }};
  return kTables;
}

const FactColumns& columns_of(FactTable table) {
  return fact_tables()[static_cast<std::size_t>(table)];
}

std::span<const SnapshotColumn> snapshot_columns() {
  static constexpr std::array kColumns{
      SnapshotColumn{"key", true},
      SnapshotColumn{"machine", true},
      SnapshotColumn{"host", true},
      SnapshotColumn{"boot", true},
      SnapshotColumn{"kernel", true},
      SnapshotColumn{"arch", true},
      SnapshotColumn{"collector", true},
      SnapshotColumn{"release", true},
      SnapshotColumn{"archive", true},
      SnapshotColumn{"time_ns", false},
      SnapshotColumn{"uptime_ns", false, true},
      SnapshotColumn{"sequence", false, true},
      SnapshotColumn{"page_size", false},
      SnapshotColumn{"ram_bytes", false, true},
      SnapshotColumn{"has_pages", false},
      SnapshotColumn{"has_ledger", false},
      SnapshotColumn{"lost", false},
  };
  return kColumns;
}

}  // namespace physmem::fleet
