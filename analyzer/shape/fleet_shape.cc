// SPDX-License-Identifier: MIT
#include "analyzer/shape/fleet_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/shape/owner_words.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

constexpr const char* kPageSize = "Page size B";

Cell time_cell(std::optional<std::uint64_t> time_ns) {
  return time_ns ? Cell(utc_text(*time_ns)) : Cell();
}

std::string digest_title(const FleetDigest& digest) {
  std::string title =
      fmt::format("Physical memory of executable units in {} of {}",
                  counted(digest.snapshots(), "snapshot"), counted(digest.hosts(), "host"));
  const TimeSpan& span = digest.span();
  if (span.first_ns)
    title += fmt::format(", {} to {}", utc_text(*span.first_ns), utc_text(*span.last_ns));
  return title;
}

std::vector<Column> ram_columns(std::vector<Column> first) {
  first.insert(first.end(), {{"Hosts"},
                             {"Snapshots"},
                             {"Min", Kind::kSize},
                             {"Mean", Kind::kSize},
                             {"Max", Kind::kSize},
                             {"Max on", Kind::kText}});
  return first;
}

/// The row of the rest has only a mean.
std::vector<Cell> ram_cells(std::vector<Cell> first, const RamDigestRow& row) {
  if (row.range)
    first.insert(first.end(), {row.hosts, row.snapshots, row.range->min, row.mean, row.range->max,
                               row.range->max_host});
  else
    first.insert(first.end(), {Cell(), Cell(), Cell(), row.mean, Cell(), Cell()});
  return first;
}

}  // namespace

Table fleet_classes_table(const RamDigest& digest) {
  Table table{
      {"fleet-classes",
       fmt::format("The whole of RAM by class in {} of {}", counted(digest.snapshots(), "snapshot"),
                   counted(digest.hosts(), "host")),
       ram_columns({{"Class", Kind::kText}})},
      {}};
  for (const RamDigestRow& row : digest.classes())
    table.rows.push_back(ram_cells({class_cell(row.name)}, row));
  return table;
}

Table fleet_owners_table(const RamDigest& digest) {
  Table table{{"fleet-owners", "Slab caches, and files by type of file system",
               ram_columns({{"Kind", Kind::kText}, {"Name", Kind::kText}})},
              {}};
  for (const auto& [kind, word] : {std::pair(FleetOwnerKind::kSlab, "slab"),
                                   std::pair(FleetOwnerKind::kFileSystem, "file system")})
    for (const RamDigestRow& row : digest.owners(kind))
      table.rows.push_back(ram_cells({std::string(word), row.name}, row));
  return table;
}

Table of_host(Table table, const std::string& host, const View& view) {
  table.head.is_figure_2 = false;
  if (!view.header.selection.empty()) table.head.title += ", only " + view.header.selection;
  std::vector<Column> columns{{"Host", Kind::kText}, time_column("Time")};
  std::vector<Cell> cells{host, time_cell(view.header.time_ns)};
  if (view.is_full) {
    columns.push_back({"Snapshot", Kind::kText});
    cells.emplace_back(view.source);
    const auto& own = table.head.columns;
    if (std::none_of(own.begin(), own.end(),
                     [](const Column& column) { return column.title == kPageSize; })) {
      columns.push_back({kPageSize});
      cells.emplace_back(view.header.page_size.bytes);
    }
  }
  table.head.columns.insert(table.head.columns.begin(), columns.begin(), columns.end());
  for (auto& row : table.rows) row.insert(row.begin(), cells.begin(), cells.end());
  return table;
}

void add_alerts_column(Table& table, const std::vector<UnitTotalsRow>& rows, const Alerts& alerts) {
  std::map<UnitKey, std::uint64_t> of_unit;
  for (const Alert& alert : alerts.rows()) ++of_unit[alert.key];
  table.head.columns.push_back({"Alerts"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto found = of_unit.find(rows[i].key);
    table.rows[i].emplace_back(found != of_unit.end() ? found->second : std::uint64_t{0});
  }
}

Table digest_table(const FleetDigest& digest) {
  Table table{{"fleet",
               digest_title(digest),
               {{"File", Kind::kText},
                {"Hosts"},
                {"Snapshots"},
                {"Min", Kind::kSize},
                {"Mean", Kind::kSize},
                {"Max", Kind::kSize},
                {"Max on", Kind::kText},
                {"Fleet", Kind::kSize},
                time_column("First"),
                time_column("Last"),
                {"Alerts"}}},
              {}};
  table.head.spare = {"First", "Last", "Min", "Alerts"};
  for (const UnitDigestRow& row : digest.rows()) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells = {row.unit.empty() ? "NULL" : row.unit, row.hosts, row.snapshots};
    if (row.sizes)
      cells.insert(cells.end(), {row.sizes->min, row.sizes->mean, row.sizes->max,
                                 row.sizes->max_host, row.sizes->fleet});
    else
      cells.resize(8);
    cells.insert(cells.end(),
                 {time_cell(row.seen.first_ns), time_cell(row.seen.last_ns), Cell(row.alerts)});
  }
  return table;
}

}  // namespace physmem
