// SPDX-License-Identifier: MIT
#include "analyzer/shape/diff_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analyzer/shape/series_notes.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Number of areas shown in text output; there are thousands.
constexpr std::size_t kShownAreas = 20;

/// The rows to show, by change of size, then by pages touched, largest first.
template <class Row>
std::vector<const Row*> chosen(const std::vector<Row>& rows, bool with_unchanged) {
  std::vector<const Row*> shown;
  for (const Row& row : rows)
    if (with_unchanged || !row.change.is_none()) shown.push_back(&row);
  const auto key = [](const Change& c) {
    return std::tuple(std::max(c.before, c.after) - std::min(c.before, c.after), c.touched());
  };
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const Row* a, const Row* b) { return key(a->change) > key(b->change); });
  return shown;
}

/// Cells that require lists of pages, and cells that also require stable flags.
class KeptCells {
 public:
  explicit KeptCells(const SnapshotDiff& diff) : knows_private_(diff.knows_private()) {}
  Cell moved(const Change& change) const {
    return change.is_by_page ? Cell(change.kept.moved) : Cell();
  }
  Cell of_private(const Change& change, std::uint64_t pages) const {
    return change.is_by_page && knows_private_ ? Cell(pages) : Cell();
  }

 private:
  bool knows_private_;
};

std::string process_name(const ProcessChange& row) {
  return row.name_before.empty() ? row.name : fmt::format("{} (was {})", row.name, row.name_before);
}

/// Rows of diff_table(): subject columns, then the common numbers.
class DiffRows {
 public:
  DiffRows(const SnapshotDiff& diff, const View& view, Table& table)
      : diff_(diff), view_(view), kept_(diff), table_(table) {}

  void total() {
    const UnitChange total = diff_.total();
    add({"total", {}, {}, {}, {}, {}, {}}, total.change, {}, distinct(total));
  }
  void processes() {
    for (const ProcessChange* row : chosen(diff_.processes(), view_.is_full))
      add({"process", row->name, row->pid, fate_name(row->fate), {}, {}, {}}, row->change, {}, {});
  }
  void units() {
    const std::vector<UnitChange> units = diff_.units();
    for (const UnitChange* row : chosen(units, view_.is_full))
      add({"file", {}, {}, {}, {}, unit_name(row->unit, view_.header), {}}, row->change, {},
          distinct(*row));
  }
  void areas() {
    for (const AreaChange* row : chosen(diff_.areas(), view_.is_full)) {
      const ProcessChange& process = diff_.processes()[row->process];
      add({"area", process.name, process.pid, fate_name(row->fate), std::string(name(row->region)),
           unit_name(row->unit, view_.header), row->start},
          row->change, row->last, {});
    }
  }

 private:
  using Cells = std::vector<Cell>;

  Cells distinct(const UnitChange& row) const {
    if (!diff_.knows_distinct()) return {};
    return {row.distinct_before, row.distinct_after};
  }

  void add(Cells cells, const Change& c, const Cell& last, Cells frames) {
    cells.insert(cells.end(), {c.before, c.after, c.gained(), c.lost()});
    cells.push_back(kept_.of_private(c, c.kept.to_private));
    cells.push_back(kept_.of_private(c, c.kept.to_shared));
    cells.insert(cells.end(), {c.swapped_before, c.swapped_after});
    frames.resize(2);
    if (view_.is_full)
      cells.insert(cells.end(), {last, kept_.moved(c), kept_.of_private(c, c.kept.copied),
                                 frames[0], frames[1]});
    table_.rows.push_back(std::move(cells));
  }

  const SnapshotDiff& diff_;
  const View& view_;
  KeptCells kept_;
  Table& table_;
};

/// A sentence on how many of `all` rows are not shown.
std::string left_out(std::size_t all, std::size_t shown, std::string_view thing) {
  return all == shown ? "" : counted(all - shown, thing) + " did not change";
}

void add_note(Table& table, std::string note) {
  if (!note.empty()) table.notes.push_back(std::move(note));
}

/// Appends the columns of numbers, which are the same in all tables of text output.
std::vector<Column> change_columns(std::vector<Column> columns) {
  columns.insert(columns.end(), {{"Before", Kind::kSize},
                                 {"After", Kind::kSize},
                                 {"Change", Kind::kSize},
                                 {"Gained", Kind::kSize},
                                 {"Lost", Kind::kSize},
                                 {"Moved", Kind::kSize},
                                 {"To private", Kind::kSize},
                                 {"To shared", Kind::kSize},
                                 {"Swapped", Kind::kSize}});
  return columns;
}

std::vector<Cell> change_cells(const SnapshotDiff& diff, std::vector<Cell> cells, const Change& c) {
  const KeptCells kept(diff);
  cells.insert(cells.end(),
               {c.before, c.after, SizeChange{c.before, c.after}, c.gained(), c.lost()});
  cells.insert(cells.end(), {kept.moved(c), kept.of_private(c, c.kept.to_private),
                             kept.of_private(c, c.kept.to_shared)});
  cells.emplace_back(SizeChange{c.swapped_before, c.swapped_after});
  return cells;
}

Table processes(const SnapshotDiff& diff) {
  Table table{{"diff", "Processes",
               change_columns({{"Command", Kind::kText}, {"PID"}, {"State", Kind::kText}})},
              {}};
  const auto rows = changed_processes(diff);
  for (const ProcessChange* row : rows)
    table.rows.push_back(
        change_cells(diff, {process_name(*row), row->pid, fate_name(row->fate)}, row->change));
  add_note(table, left_out(diff.processes().size(), rows.size(), "process"));
  return table;
}

Table units(const SnapshotDiff& diff, const View& view) {
  Table table{{"diff", "Files, over all processes",
               change_columns({{"File", Kind::kText},
                               {"Distinct before", Kind::kSize},
                               {"Distinct after", Kind::kSize}})},
              {}};
  const std::vector<UnitChange> all = diff.units();
  const auto rows = changed_units(all);
  const auto distinct = [&](std::uint64_t pages) {
    return diff.knows_distinct() ? Cell(pages) : Cell();
  };
  for (const UnitChange* row : rows)
    table.rows.push_back(
        change_cells(diff,
                     {unit_name(row->unit, view.header), distinct(row->distinct_before),
                      distinct(row->distinct_after)},
                     row->change));
  add_note(table, left_out(all.size(), rows.size(), "file"));
  return table;
}

std::string not_shown(const std::vector<const AreaChange*>& rows, std::size_t shown,
                      PageSize size) {
  if (shown == rows.size()) return "";
  Change rest;
  for (std::size_t i = shown; i < rows.size(); ++i) rest += rows[i]->change;
  return fmt::format("{} more changed: {} gained, {} lost; --csv and --json have all of them",
                     counted(rows.size() - shown, "area"), human_size(rest.gained(), size),
                     human_size(rest.lost(), size));
}

Table areas(const SnapshotDiff& diff, const View& view) {
  Table table{{"diff", "Areas",
               change_columns({{"Command", Kind::kText},
                               {"PID"},
                               {"Start", Kind::kHex},
                               {"State", Kind::kText},
                               {"Region", Kind::kText},
                               {"File", Kind::kText}})},
              {}};
  const auto rows = chosen(diff.areas(), false);
  const std::size_t shown = std::min(rows.size(), kShownAreas);
  for (std::size_t i = 0; i < shown; ++i) {
    const AreaChange& row = *rows[i];
    const ProcessChange& process = diff.processes()[row.process];
    table.rows.push_back(
        change_cells(diff,
                     {process.name, process.pid, row.start, fate_name(row.fate),
                      std::string(name(row.region)), unit_name(row.unit, view.header)},
                     row.change));
  }
  add_note(table, not_shown(rows, shown, view.header.page_size));
  add_note(table, left_out(diff.areas().size(), rows.size(), "area"));
  return table;
}

}  // namespace

std::string elapsed_text(const SnapshotDiff& diff) {
  const auto& before = diff.header_before().time_ns;
  const auto& after = diff.header_after().time_ns;
  if (!before || !after || *after < *before) return "";
  return fmt::format(", {:.1f} s later", static_cast<double>(*after - *before) / 1e9);
}

Table diff_totals(const SnapshotDiff& diff) {
  const UnitChange total = diff.total();
  const Change& c = total.change;
  Table table{{"diff",
               fmt::format("From {} to {}{}", origin(diff.header_before()),
                           origin(diff.header_after()), elapsed_text(diff)),
               {{"Memory", Kind::kText},
                {"Before", Kind::kSize},
                {"After", Kind::kSize},
                {"Change", Kind::kSize},
                {"Gained", Kind::kSize},
                {"Lost", Kind::kSize}}},
              {}};
  table.rows.push_back({"resident, all processes", c.before, c.after, SizeChange{c.before, c.after},
                        c.gained(), c.lost()});
  if (diff.knows_distinct())
    table.rows.push_back({"distinct", total.distinct_before, total.distinct_after,
                          SizeChange{total.distinct_before, total.distinct_after}});
  const auto [before, after] = diff.in_swap();
  table.rows.push_back({"swapped", before, after, SizeChange{before, after}});
  return table;
}

std::vector<const ProcessChange*> changed_processes(const SnapshotDiff& diff) {
  return chosen(diff.processes(), false);
}

std::vector<const UnitChange*> changed_units(const std::vector<UnitChange>& units) {
  return chosen(units, false);
}

Table diff_table(const SnapshotDiff& diff, const View& view) {
  Table table{{"diff",
               "",
               {{"Level", Kind::kText},
                {"Command", Kind::kText},
                {"PID"},
                {"State", Kind::kText},
                {"Region", Kind::kText},
                {"File", Kind::kText},
                {"Start", Kind::kHex},
                {"Before", Kind::kSize},
                {"After", Kind::kSize},
                {"Gained", Kind::kSize},
                {"Lost", Kind::kSize},
                {"To private", Kind::kSize},
                {"To shared", Kind::kSize},
                {"Swapped before", Kind::kSize},
                {"Swapped after", Kind::kSize}}},
              {}};
  if (view.is_full)
    table.head.columns.insert(table.head.columns.end(), {{"Last", Kind::kHex},
                                                         {"Moved", Kind::kSize},
                                                         {"Copied", Kind::kSize},
                                                         {"Distinct before", Kind::kSize},
                                                         {"Distinct after", Kind::kSize}});
  DiffRows rows(diff, view, table);
  rows.total();
  rows.processes();
  rows.units();
  rows.areas();
  return table;
}

std::vector<Table> diff_tables(const SnapshotDiff& diff, const View& view) {
  std::vector<Table> tables{diff_totals(diff)};
  for (Table& table : std::vector{processes(diff), units(diff, view), areas(diff, view)})
    if (!table.rows.empty() || !table.notes.empty()) tables.push_back(std::move(table));
  return tables;
}

std::vector<std::string> diff_missing(const SnapshotDiff& diff) {
  std::vector<std::string> missing;
  const Header& before = diff.header_before();
  const Header& after = diff.header_after();
  if (before.page_size.bytes != after.page_size.bytes)
    missing.push_back(
        fmt::format("the snapshots have pages of {} and {} bytes: their counts cannot be compared",
                    before.page_size.bytes, after.page_size.bytes));
  if (!before.has_areas || !after.has_areas)
    missing.push_back(
        fmt::format("no areas in {}: diff requires them (collect without --tasks-only)",
                    before.has_areas  ? "the second snapshot"
                    : after.has_areas ? "the first snapshot"
                                      : "either snapshot"));
  else if (!diff.has_pages())
    missing.emplace_back(
        "a snapshot lists no pages: gained and lost are differences of each area's counts");
  if (diff.half_read() != 0 && before.has_areas && after.has_areas)
    missing.push_back(counted(diff.half_read(), "process") +
                      " could be read in only one of the snapshots: not compared, in no sum");
  if (!diff.knows_private())
    missing.emplace_back(
        "format version 1 does not identify anonymous pages: which became private or shared is "
        "unknown");
  const SeriesStep step = step_between(before, after);
  if (step == SeriesStep::kOtherMachine)
    missing.push_back(
        fmt::format("the snapshots are of two machines ({}, {}): their processes differ",
                    host_text(before.host), host_text(after.host)));
  const bool is_earlier = step == SeriesStep::kNotLater && after.uptime_ns < before.uptime_ns;
  if (step == SeriesStep::kOtherBoot || is_earlier)
    missing.emplace_back(
        "the second snapshot is of another boot or earlier than the first: "
        "a process is not recognized by its id and start time");
  return missing;
}

}  // namespace physmem
