// SPDX-License-Identifier: MIT
// Rows of the tables of fleet/sql/clickhouse/schema.sql, as the body of an insertion: facts in the
// format RowBinary, which the server reads in less time, the others as TabSeparated.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fleet/model/report.h"

namespace physmem::fleet {

/// How the rows of a table are inserted. Columns are separated by commas.
struct ClickhouseTable {
  std::string name;
  std::string columns;
  std::string format;
};

/// The key of a snapshot in each table.
struct SnapshotKey {
  std::uint64_t machine_hash;
  std::uint32_t second;
  std::uint16_t millisecond;

  auto operator<=>(const SnapshotKey&) const = default;
};
SnapshotKey key_of(const SnapshotLine& line);

/// A row is append_key(), append_text() for each text, append_number() for each number.
ClickhouseTable fact_table(FactTable table);
void append_key(std::string& rows, const SnapshotKey& key);
void append_text(std::string& rows, std::string_view text);
void append_number(std::string& rows, std::optional<std::uint64_t> number);

/// A row is snapshot_line().
ClickhouseTable snapshot_table();
std::string snapshot_line(const SnapshotLine& line);

ClickhouseTable machine_table();
std::string machine_rows(const std::set<std::string>& machines);

/// 19700101 and so on: the partition of a second.
std::uint64_t partition_of(std::uint64_t second);

}  // namespace physmem::fleet
