// SPDX-License-Identifier: MIT
// The fact tables of a fleet, stated once: the text form of a report, the inserts of every store
// and the tests are made of this list. fleet/sql/ has the same tables in the dialect of each store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace physmem::fleet {

enum class FactTable : std::uint8_t {
  kUnits,     ///< executable units by path, as in physmem-analyze --totals
  kRegions,   ///< what pages are used for, over all processes
  kCounters,  ///< some counters of the kernel
  kNames,     ///< processes by name and cgroup
  kAlerts,    ///< alerts that opened or closed since the snapshot before
  kLeaks,     ///< leaks that the series of the snapshot has
  kClasses,   ///< the whole of RAM by class
  kCaches,    ///< slab caches, and cached files by type of file system
};
inline constexpr std::size_t kFactTables = 8;
/// Columns of one table, at most.
inline constexpr std::size_t kMaxFactTexts = 3;
inline constexpr std::size_t kMaxFactNumbers = 8;

/// Columns of a table: texts, which are its key within a snapshot, then numbers or nothing. Sizes
/// are in bytes.
struct FactColumns {
  std::string_view name;
  std::vector<std::string_view> texts;
  std::vector<std::string_view> numbers;
  std::vector<std::uint64_t> limits;  ///< the largest value of each of `numbers`
};

/// In the order of FactTable.
std::span<const FactColumns> fact_tables();
const FactColumns& columns_of(FactTable table);

/// Columns of the table `snapshots`, in the order of their fields in the text form. They are not
/// of the form above: see SnapshotLine.
struct SnapshotColumn {
  std::string_view name;
  bool is_text;
  bool may_be_unknown = false;  ///< only numbers; an unknown text is empty
  std::uint64_t limit = 0;      ///< the largest value of a number
};
std::span<const SnapshotColumn> snapshot_columns();

}  // namespace physmem::fleet
