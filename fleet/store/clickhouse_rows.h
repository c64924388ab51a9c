// SPDX-License-Identifier: MIT
// Rows of the tables of fleet/sql/clickhouse/schema.sql, as the body of an insertion: facts in the
// format Native (clickhouse_block.h), the others as TabSeparated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/store/snapshot_key.h"

namespace physmem::fleet {

/// How the rows of a table are inserted. Columns are separated by commas.
struct ClickhouseTable {
  std::string name;
  std::string columns;
  std::string format;
};

struct ClickhouseColumn {
  std::string name;
  std::string type;
};

SnapshotKey key_of(const SnapshotLine& line);

/// The columns of a fact table: the snapshot's key, texts, and numbers or NULL. A unit is not a
/// text, but the sip_hash() of one.
std::vector<ClickhouseColumn> fact_columns(FactTable table);
/// Whether the first text of the table's facts is a unit. No other text is one.
bool begins_with_unit(FactTable table);
/// Rows are a FactBlock.
ClickhouseTable fact_table(FactTable table);
std::vector<std::string> names_of_fact_tables();

/// A row is snapshot_line().
ClickhouseTable snapshot_table();
std::string snapshot_line(const SnapshotLine& line);

/// A row is append_name(): the name by its sip_hash().
ClickhouseTable machine_table();
ClickhouseTable unit_table();
void append_name(std::string& rows, const std::string& name);

/// 19700101 and so on: the partition of a second.
std::uint64_t partition_of(std::uint64_t second);

}  // namespace physmem::fleet
