// SPDX-License-Identifier: MIT
#include "fleet/model/tables.h"

#include <array>

#include "fleet/model/limits.h"

namespace physmem::fleet {

std::span<const FactColumns> fact_tables() {
  static const std::array<FactColumns, kFactTables> kTables{{
      {"units",
       {"unit"},
       {"text", "data", "bss", "processes", "uss", "pss", "rss", "alerts"},
       {kMaxRam, kMaxRam, kMaxRam, kMaxCount, kMaxRam, kMaxRam, kMaxTotal, kMaxCount}},
      {"regions", {"region"}, {"frames", "rss"}, {kMaxRam, kMaxTotal}},
      {"counters", {"counter"}, {"value"}, {kMaxTotal}},
      {"names",
       {"name", "cgroup"},
       {"processes", "uss", "pss", "rss", "swap", "max_rss", "minor_faults", "major_faults"},
       {kMaxCount, kMaxRam, kMaxRam, kMaxTotal, kMaxRam, kMaxTotal, kMaxTotal, kMaxTotal}},
      {"alerts", {"unit", "process", "rule"}, {"state"}, {1}},
      {"leaks",
       {"process", "what"},
       {"slope", "bytes", "confidence"},
       {kMaxTotal, kMaxTotal, kMaxConfidence}},
      {"classes", {"class"}, {"bytes", "owned"}, {kMaxRam, kMaxRam}},
      {"caches", {"kind", "name"}, {"bytes"}, {kMaxRam}},
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
      SnapshotColumn{"time_ns", false, false, kMaxTime},
      SnapshotColumn{"uptime_ns", false, true, kMaxTime},
      SnapshotColumn{"sequence", false, true, kMaxCount},
      SnapshotColumn{"page_size", false, false, kMaxPageSize},
      SnapshotColumn{"ram_bytes", false, true, kMaxRam},
      SnapshotColumn{"has_pages", false, false, 1},
      SnapshotColumn{"has_ledger", false, false, 1},
      SnapshotColumn{"lost", false, false, kMaxCount},
  };
  return kColumns;
}

}  // namespace physmem::fleet
