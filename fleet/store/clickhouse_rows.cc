// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_rows.h"

#include <array>
#include <charconv>
#include <ctime>
#include <optional>
#include <variant>

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

template <class Number>
void append_little_endian(std::string& out, Number number) {
  std::array<char, sizeof number> bytes{};
  for (char& byte : bytes) {
    byte = static_cast<char>(number);
    number = static_cast<Number>(std::uint64_t{number} >> 8);
  }
  out.append(bytes.data(), bytes.size());
}

constexpr std::string_view kKeyColumns = "machine_hash, time, millisecond, ";

template <class Names>
std::string joined(const Names& names, std::string_view end) {
  std::string text;
  for (const auto& name : names) (text += name) += ", ";
  text.resize(text.size() - (text.empty() ? 0 : 2));
  return text += end;
}

}  // namespace

SnapshotKey key_of(const SnapshotLine& line) {
  return {sip_hash(line.machine), static_cast<std::uint32_t>(line.second()),
          static_cast<std::uint16_t>(line.millisecond())};
}

ClickhouseTable fact_table(FactTable table) {
  const FactColumns& columns = columns_of(table);
  return {std::string(columns.name),
          std::string(kKeyColumns) + joined(columns.texts, ", ") + joined(columns.numbers, ""),
          "RowBinary"};
}

void append_key(std::string& rows, const SnapshotKey& key) {
  append_little_endian(rows, key.machine_hash);
  append_little_endian(rows, key.second);
  append_little_endian(rows, key.millisecond);
}

/// A text follows its length, 7 bits in a byte.
void append_text(std::string& rows, std::string_view text) {
  std::size_t size = text.size();
  for (; size >= 0x80; size >>= 7) rows += static_cast<char>(size | 0x80);
  rows += static_cast<char>(size);
  rows += text;
}

/// 1 is NULL.
void append_number(std::string& rows, std::optional<std::uint64_t> number) {
  rows += number ? '\0' : '\1';
  if (number) append_little_endian(rows, *number);
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

std::string machine_rows(const std::set<std::string>& machines) {
  std::string rows;
  for (const std::string& machine : machines) {
    append(rows, sip_hash(machine));
    rows += '\t';
    append(rows, machine);
    rows += '\n';
  }
  return rows;
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
