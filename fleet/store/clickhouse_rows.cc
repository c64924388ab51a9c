// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_rows.h"

#include <array>
#include <charconv>
#include <ctime>
#include <optional>
#include <set>
#include <variant>

#include "fleet/model/snapshot_fields.h"
#include "fleet/store/clickhouse_sql.h"

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

/// The fields of the key of a snapshot in each table, which a tab follows.
std::string key_fields(const SnapshotLine& line) {
  std::string fields;
  append(fields, sip_hash(line.machine));
  fields += '\t';
  fields += time_text(line.second());
  fields += '\t';
  append(fields, line.millisecond());
  return fields += '\t';
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

ClickhouseRows fact_rows(FactTable table, std::span<const Report* const> reports) {
  const FactColumns& columns = columns_of(table);
  ClickhouseRows out{
      std::string(columns.name),
      std::string(kKeyColumns) + joined(columns.texts, ", ") + joined(columns.numbers, ""),
      {}};
  for (const Report* report : reports) {
    const std::string key = key_fields(report->snapshot);
    for (const Fact& fact : report->of(table)) {
      out.rows += key;
      for (const std::string& text : fact.texts) {
        append(out.rows, text);
        out.rows += '\t';
      }
      for (const auto& number : fact.numbers) {
        append(out.rows, number);
        out.rows += '\t';
      }
      out.rows.back() = '\n';
    }
  }
  return out;
}

ClickhouseRows machine_rows(std::span<const Report* const> reports) {
  ClickhouseRows out{"machines", "machine_hash, machine", {}};
  std::set<std::string_view> machines;
  for (const Report* report : reports)
    if (machines.insert(report->snapshot.machine).second) {
      append(out.rows, sip_hash(report->snapshot.machine));
      out.rows += '\t';
      append(out.rows, report->snapshot.machine);
      out.rows += '\n';
    }
  return out;
}

ClickhouseRows snapshot_rows(std::span<const Report* const> reports) {
  ClickhouseRows out{"snapshots", std::string(kKeyColumns) + "key_hash", {}};
  for (const SnapshotColumn& column : snapshot_columns()) (out.columns += ", ") += column.name;
  for (const Report* report : reports) {
    const SnapshotLine& line = report->snapshot;
    out.rows += key_fields(line);
    append(out.rows, sip_hash(line.key));
    for (const SnapshotField& field : kSnapshotFields) {
      out.rows += '\t';
      std::visit([&](auto member) { append(out.rows, line.*member); }, field);
    }
    out.rows += '\n';
  }
  return out;
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
