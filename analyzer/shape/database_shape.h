// SPDX-License-Identifier: MIT
// Snapshots as tables of a database. docs/sqlite.md describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/ram/class_pages.h"
#include "analyzer/analyze/ram/page_cache.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// The version of the tables, in PRAGMA user_version.
inline constexpr int kDatabaseVersion = 2;

/// Statements of SQL that create the tables and views, and, after all rows, the indices.
std::string_view database_tables();
std::string_view database_indices();

/// Rows, in the order of the columns. Ids are keys of the row and of rows that it refers to.
std::vector<Cell> snapshot_cells(std::uint64_t id, const std::string& source, const Header& header);
/// `use`: nothing if it is not known.
std::vector<Cell> process_cells(std::uint64_t id, std::uint64_t snapshot, const Process& process,
                                const std::optional<MemoryUse>& use, const Header& header);
std::vector<Cell> area_cells(std::uint64_t id, std::uint64_t process,
                             std::optional<std::uint64_t> unit, const Area& area,
                             const Header& header);
/// `totals`: nullptr for a file that no process uses as an executable unit.
std::vector<Cell> unit_cells(std::uint64_t id, std::uint64_t snapshot, const UnitKey& key,
                             const std::string& name, const UnitTotalsRow* totals,
                             const Header& header);
std::vector<Cell> class_cells(std::uint64_t snapshot, const ClassPages& row, const Header& header);
std::vector<Cell> file_cells(std::uint64_t snapshot, const PageCache& cache, const CacheRow& row,
                             const Header& header);

}  // namespace physmem
