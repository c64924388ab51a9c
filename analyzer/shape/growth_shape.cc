// SPDX-License-Identifier: MIT
#include "analyzer/shape/growth_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/shape/diff_groups.h"
#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/overview_shape.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

Column name_column(const char* title) {
  Column column{title, Kind::kText};
  column.is_shortened = true;
  return column;
}

template <class Row>
std::vector<const Row*> by_growth(const std::vector<Row>& rows) {
  std::vector<const Row*> sorted;
  sorted.reserve(rows.size());
  for (const Row& row : rows) sorted.push_back(&row);
  const auto key = [](const Change& c) { return growth_key(c.before, c.after, c.touched()); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Row* a, const Row* b) { return key(a->change) < key(b->change); });
  return sorted;
}

class GrowthTables {
 public:
  GrowthTables(const SnapshotDiff& diff, const UseView& use, const View& view)
      : diff_(diff), use_(use), view_(view), top_(use.top.value_or(kGrowthRows)) {}

  Table groups() const {
    Table table = begin("Processes", {name_column(title_of(use_.group)), {"Processes"}}, {});
    const std::vector<GroupChange> groups = grouped(diff_, use_.group, use_);
    GroupChange rest;
    std::size_t others = 0;
    for (const GroupChange* row : by_growth(groups)) {
      if (!row->change.is_none() && table.rows.size() < top_) {
        table.rows.push_back(cells({row->name, row->processes}, row->change, {}));
        continue;
      }
      rest.change += row->change;
      rest.processes += row->processes;
      ++others;
    }
    if (others != 0) table.rows.push_back(cells({more(others), rest.processes}, rest.change, {}));
    table.rows.push_back(cells({"total", diff_.processes().size()}, diff_.total().change, {}));
    return table;
  }

  Table processes() const {
    if (use_.group != UseGrouping::kProcess) return groups();
    Table table = begin("Processes", {{"PID"}, name_column("Command"), {"State", Kind::kText}}, {});
    Change rest;
    std::size_t others = 0;
    for (const ProcessChange* row : by_growth(diff_.processes())) {
      if (row->change.is_none() || table.rows.size() >= top_) {
        rest += row->change;
        ++others;
      } else {
        table.rows.push_back(
            cells({row->pid, process_name(*row), fate_name(row->fate)}, row->change, {}));
      }
    }
    const auto sum = [&](std::string name, const Change& change) {
      table.rows.push_back(cells({{}, std::move(name), ""}, change, {}));
    };
    if (others != 0) sum(more(others), rest);
    sum("total", diff_.total().change);
    return table;
  }

  Table files() const {
    Table table =
        begin("Files, over all processes", {}, {{"Distinct", Kind::kSize}, name_column("File")});
    const std::vector<UnitChange> units = diff_.units();
    UnitChange rest;
    std::size_t others = 0;
    for (const UnitChange* row : by_growth(units)) {
      if (!row->change.is_none() && table.rows.size() < top_) {
        table.rows.push_back(cells({}, row->change, {distinct(*row), file_name(row->unit)}));
        continue;
      }
      rest.change += row->change;
      rest.distinct_before += row->distinct_before;
      rest.distinct_after += row->distinct_after;
      ++others;
    }
    if (others != 0) table.rows.push_back(cells({}, rest.change, {distinct(rest), more(others)}));
    const UnitChange total = diff_.total();
    table.rows.push_back(cells({}, total.change, {distinct(total), "total"}));
    return table;
  }

  Table areas() const {
    Table table = begin("Areas",
                        {{"PID"},
                         name_column("Command"),
                         {"Start"},
                         {"State", Kind::kText},
                         {"Region", Kind::kText}},
                        {name_column("File")});
    Change rest;
    std::size_t others = 0;
    for (const AreaChange* row : by_growth(diff_.areas())) {
      if (row->change.is_none() || table.rows.size() >= top_) {
        rest += row->change;
        ++others;
        continue;
      }
      const ProcessChange& process = diff_.processes()[row->process];
      table.rows.push_back(cells({process.pid, process.name, fmt::format("0x{:08x}", row->start),
                                  fate_name(row->fate), std::string(name(row->region))},
                                 row->change, {file_name(row->unit)}));
    }
    if (others != 0) table.rows.push_back(cells({{}, more(others), {}, "", ""}, rest, {""}));
    return table;
  }

 private:
  using Cells = std::vector<Cell>;

  static std::string more(std::size_t rows) { return fmt::format("({} more)", rows); }

  static std::string process_name(const ProcessChange& row) {
    return row.name_before.empty() ? row.name
                                   : fmt::format("{} (was {})", row.name, row.name_before);
  }

  /// As in --ask units.
  std::string file_name(const std::string& unit) const {
    return unit.empty() ? "[anon]" : unit_name(unit, view_.header);
  }

  Table begin(const char* title, std::vector<Column> front, const std::vector<Column>& end) const {
    front.insert(front.end(), {{"Change", Kind::kSize},
                               {"Before", Kind::kSize},
                               {"After", Kind::kSize},
                               {"Gained", Kind::kSize},
                               {"Lost", Kind::kSize},
                               {"Swap", Kind::kSize}});
    front.insert(front.end(), end.begin(), end.end());
    Table table{{"diff", fmt::format("{}: growth", title), std::move(front)}, {}};
    table.head.spare = {"Lost", "Gained", "Swap", "Before", "Start"};
    return table;
  }

  Cells cells(Cells front, const Change& c, const Cells& end) const {
    front.insert(front.end(), {SizeChange{c.before, c.after}, c.before, c.after, c.gained(),
                               c.lost(), SizeChange{c.swapped_before, c.swapped_after}});
    front.insert(front.end(), end.begin(), end.end());
    return front;
  }

  Cell distinct(const UnitChange& row) const {
    if (!diff_.knows_distinct()) return {};
    return SizeChange{row.distinct_before, row.distinct_after};
  }

  const SnapshotDiff& diff_;
  const UseView& use_;
  const View& view_;
  std::size_t top_;
};

}  // namespace

/// "file cache +263.3 MiB", what grew most first.
std::vector<std::string> totals_growth(const TotalsDiff& diff) {
  constexpr std::size_t kColumns = 80;
  std::vector<TotalsDiff::Part> parts = diff.parts();
  std::erase_if(parts, [](const auto& part) { return part.before == part.after; });
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return growth_key(a.before, a.after, 0) < growth_key(b.before, b.after, 0);
  });
  std::vector<std::string> lines{parts.empty() ? "RAM by the kernel's totals: no change"
                                               : "RAM by the kernel's totals:"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [part, before, after] = parts[i];
    const bool grew = after > before;
    const std::string text =
        fmt::format(" {} {}{}{}", kMemoryPartTexts[part].name, grew ? '+' : '-',
                    human_size(grew ? after - before : before - after, PageSize{1024}),
                    i + 1 == parts.size() ? "" : ",");
    if (lines.back().size() + text.size() > kColumns) lines.emplace_back(" ");
    lines.back() += text;
  }
  return lines;
}

std::vector<Table> growth_tables(const SnapshotDiff& diff, const UseView& use, const View& view) {
  const GrowthTables shaped(diff, use, view);
  std::vector<Table> tables{diff_totals(diff), shaped.processes(), shaped.files()};
  if (view.is_full) tables.push_back(shaped.areas());
  return tables;
}

}  // namespace physmem
