// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_rows.h"

#include <array>
#include <charconv>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "fleet/model/snapshot_fields.h"
#include "fleet/store/clickhouse_sql.h"
#include "program/sha256.h"

namespace physmem::fleet {
namespace {

void append(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append(std::string& out, const std::optional<std::uint64_t>& number) {
  if (number)
    append(out, *number);
  else
    out += "\\N";
}

void append(std::string& out, const std::string& text) {
  append_tab_separated(out, text);
}

/// "2026-11-26 12:00:00", in UTC.
std::string time_text(std::uint64_t second) {
  const auto time = static_cast<std::time_t>(second);
  std::tm parts{};
  std::array<char, 32> text{};
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", gmtime_r(&time, &parts));
  return {text.data(), size};
}

constexpr std::string_view kKeyColumns = "machine_hash, time, millisecond, ";

}  // namespace

SnapshotKey key_of(const SnapshotLine& line) {
  return {sip_hash(line.machine), static_cast<std::uint32_t>(line.second()),
          static_cast<std::uint16_t>(line.millisecond())};
}

std::vector<ClickhouseColumn> fact_columns(FactTable table) {
  std::vector<ClickhouseColumn> columns{
      {"machine_hash", "UInt64"}, {"time", "DateTime('UTC')"}, {"millisecond", "UInt16"}};
  for (const std::string_view text : columns_of(table).texts)
    columns.push_back({std::string(text), "String"});
  if (begins_with_unit(table)) columns[3] = {"unit_hash", "UInt64"};
  for (const std::string_view number : columns_of(table).numbers)
    columns.push_back({std::string(number), "Nullable(UInt64)"});
  return columns;
}

ClickhouseTable fact_table(FactTable table) {
  std::string names;
  for (const ClickhouseColumn& column : fact_columns(table))
    names += (names.empty() ? "" : ", ") + column.name;
  return {std::string(columns_of(table).name), std::move(names), "Native"};
}

std::vector<std::string> names_of_fact_tables() {
  std::vector<std::string> names;
  for (const FactColumns& columns : fact_tables()) names.emplace_back(columns.name);
  return names;
}

bool begins_with_unit(FactTable table) {
  return columns_of(table).texts[0] == "unit";
}

ClickhouseTable snapshot_table() {
  ClickhouseTable table{"snapshots", std::string(kKeyColumns) + "key_hash", "TabSeparated"};
  for (const SnapshotColumn& column : snapshot_columns()) (table.columns += ", ") += column.name;
  return table;
}

std::string snapshot_line(const SnapshotLine& line) {
  std::string text;
  append(text, sip_hash(line.machine));
  text += '\t';
  text += time_text(line.second());
  text += '\t';
  append(text, line.millisecond());
  text += '\t';
  append(text, sip_hash(line.key));
  SnapshotLine stored = line;
  stored.key = bytes_of_hex(line.key);
  for (const SnapshotField& field : kSnapshotFields) {
    text += '\t';
    std::visit([&](auto member) { append(text, stored.*member); }, field);
  }
  return text += '\n';
}

ClickhouseTable machine_table() {
  return {"machines", "machine_hash, machine", "TabSeparated"};
}

ClickhouseTable unit_table() {
  return {"unit_names", "unit_hash, unit", "TabSeparated"};
}

void append_name(std::string& rows, const std::string& name) {
  append(rows, sip_hash(name));
  rows += '\t';
  append(rows, name);
  rows += '\n';
}

std::uint64_t partition_of(std::uint64_t second) {
  std::string digits;
  for (const char c : time_text(second).substr(0, 10))
    if (c != '-') digits += c;
  std::uint64_t partition = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), partition);
  return partition;
}

}  // namespace physmem::fleet
