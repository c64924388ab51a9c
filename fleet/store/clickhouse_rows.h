// SPDX-License-Identifier: MIT
// Reports → rows of the tables of fleet/sql/clickhouse/schema.sql, in the format TabSeparated.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fleet/model/report.h"

namespace physmem::fleet {

/// What the rows of a table have. Columns are separated by commas.
struct ClickhouseRows {
  std::string table;
  std::string columns;
  std::string rows;  ///< empty: no report has any
};

ClickhouseRows fact_rows(FactTable table, std::span<const Report* const> reports);
ClickhouseRows machine_rows(std::span<const Report* const> reports);
ClickhouseRows snapshot_rows(std::span<const Report* const> reports);

/// 19700101 and so on: the partition of a second.
std::uint64_t partition_of(std::uint64_t second);

}  // namespace physmem::fleet
