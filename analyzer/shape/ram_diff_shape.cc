// SPDX-License-Identifier: MIT
#include "analyzer/shape/ram_diff_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/growth_shape.h"
#include "analyzer/shape/owner_words.h"
#include "analyzer/shape/size_cells.h"
#include "analyzer/shape/view.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Rows of each kind of owner in text output.
constexpr std::size_t kShownOwners = 20;

struct OwnerTable {
  RamOwner::Kind kind;
  const char* title;
  const char* owner;  ///< one of its rows
};
constexpr std::array kOwnerTables{
    OwnerTable{RamOwner::Kind::kFile, "Files in the page cache", "file"},
    OwnerTable{RamOwner::Kind::kSlab, "Slab caches", "slab cache"},
    OwnerTable{RamOwner::Kind::kCode, "Kernel memory by code", "owner"},
    OwnerTable{RamOwner::Kind::kTask, "Kernel stacks by task", "task"},
    OwnerTable{RamOwner::Kind::kCgroup, "Cgroups by the pages that they pay for", "cgroup"},
    OwnerTable{RamOwner::Kind::kOther, "Other owners", "owner"}};

/// The form of text.
struct Form {
  PageSize page_size;
  std::size_t rows;    ///< of each kind of owner
  bool is_for_people;  ///< growth first

  std::string title(std::string_view title) const {
    return std::string(title) + (is_for_people ? ": growth" : "");
  }
};

std::string state_of(const OwnerChange& change) {
  if (change.was_there && change.is_there) return "stayed";
  return change.is_there ? "new" : "gone";
}

Cell moved(const RamDiff& diff, const OwnerChange& change) {
  const bool is_file = change.owner.kind == RamOwner::Kind::kFile;
  return diff.knows_stayed() && is_file ? Cell(change.moved) : Cell();
}

/// Came, Went, Stayed, Moved.
std::vector<Cell> frame_cells(const RamDiff& diff, const OwnerChange& change) {
  if (!diff.knows_stayed()) return std::vector<Cell>(4);
  return {change.came(), change.went(), change.stayed, moved(diff, change)};
}

Table classes_text(const RamDiff& diff, const Form& form) {
  Table table{{"diff-classes",
               form.title("RAM by class"),
               {{"Class", Kind::kText},
                {"Before", Kind::kSize},
                {"After", Kind::kSize},
                {"Change", Kind::kSize}}},
              {}};
  std::vector<ClassChange> rows = diff.classes();
  if (form.is_for_people)
    std::stable_sort(rows.begin(), rows.end(), [](const ClassChange& a, const ClassChange& b) {
      return growth_key(a.before, a.after, 0) < growth_key(b.before, b.after, 0);
    });
  for (const ClassChange& row : rows)
    if (row.before != row.after)
      table.rows.push_back(
          {class_cell(row.name), row.before, row.after, SizeChange{row.before, row.after}});
  if (const auto same = diff.classes().size() - table.rows.size(); same != 0)
    table.notes.push_back(counted(same, "class") + " did not change");
  return table;
}

std::string not_shown(const std::vector<const OwnerChange*>& rows, const OwnerTable& kind,
                      const Form& form) {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (std::size_t i = form.rows; i < rows.size(); ++i) {
    before += rows[i]->before;
    after += rows[i]->after;
  }
  const std::string more = counted(rows.size() - form.rows, kind.owner) + " more changed, from";
  return fmt::format(
      "{} {} to {}; {}", more, human_size(before, form.page_size),
      human_size(after, form.page_size),
      form.is_for_people ? "--top N shows more" : "--csv and --json have all of them");
}

std::vector<Column> owner_columns(RamOwner::Kind kind) {
  std::vector<Column> columns{{"Before", Kind::kSize}, {"After", Kind::kSize},
                              {"Change", Kind::kSize}, {"Came", Kind::kSize},
                              {"Went", Kind::kSize},   {"Stayed", Kind::kSize}};
  if (kind == RamOwner::Kind::kFile) columns.push_back({"Moved", Kind::kSize});
  columns.push_back({"State", Kind::kText});
  if (kind != RamOwner::Kind::kSlab && kind != RamOwner::Kind::kCode)
    columns.push_back({"Identity", Kind::kText});
  columns.push_back({"Name", Kind::kText});
  return columns;
}

std::vector<Cell> text_cells(const RamDiff& diff, const OwnerChange& change) {
  std::vector<Cell> cells{change.before, change.after, SizeChange{change.before, change.after}};
  std::vector<Cell> frames = frame_cells(diff, change);
  if (change.owner.kind != RamOwner::Kind::kFile) frames.pop_back();
  cells.insert(cells.end(), frames.begin(), frames.end());
  cells.emplace_back(state_of(change));
  if (change.owner.kind != RamOwner::Kind::kSlab && change.owner.kind != RamOwner::Kind::kCode)
    cells.emplace_back(owner_identity(change.owner));
  cells.emplace_back(change.owner.name);
  return cells;
}

Table owners_text(const RamDiff& diff, const OwnerTable& kind,
                  const std::vector<const OwnerChange*>& rows, std::size_t all, const Form& form) {
  Table table{{"diff-owners", form.title(kind.title), owner_columns(kind.kind)}, {}};
  table.head.spare = {"Stayed", "Moved", "Went", "Came", "Identity", "State"};
  for (std::size_t i = 0; i < std::min(rows.size(), form.rows); ++i)
    table.rows.push_back(text_cells(diff, *rows[i]));
  if (rows.size() > form.rows) table.notes.push_back(not_shown(rows, kind, form));
  if (all != rows.size())
    table.notes.push_back(counted(all - rows.size(), kind.owner) + " did not change");
  return table;
}

Table owners_text(const RamDiff& diff, const OwnerTable& kind, const Form& form) {
  std::vector<const OwnerChange*> rows;
  for (const OwnerChange* row : changed_owners(diff, false))
    if (row->owner.kind == kind.kind) rows.push_back(row);
  const auto key = [](const OwnerChange& c) {
    return growth_key(c.before, c.after, c.came() + c.went() + c.moved);
  };
  if (form.is_for_people)
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  const auto all = std::count_if(diff.owners().begin(), diff.owners().end(), [&](const auto& row) {
    return row.owner.kind == kind.kind && row.has_pages();
  });
  return owners_text(diff, kind, rows, static_cast<std::size_t>(all), form);
}

std::vector<Table> tables_of(const RamDiff& diff, const Form& form) {
  std::vector<Table> tables{classes_text(diff, form)};
  for (const OwnerTable& kind : kOwnerTables)
    if (std::any_of(diff.owners().begin(), diff.owners().end(), [&](const auto& row) {
          return row.owner.kind == kind.kind && diff.has_changed(row);
        }))
      tables.push_back(owners_text(diff, kind, form));
  return tables;
}

Form data_form(const View& view) {
  return {view.header.page_size, kShownOwners, false};
}

}  // namespace

std::vector<Table> ram_diff_tables(const RamDiff& diff, const View& view) {
  return tables_of(diff, data_form(view));
}

std::vector<Table> ram_growth_tables(const RamDiff& diff, const UseView& use, const View& view) {
  return tables_of(diff, {view.header.page_size, use.top.value_or(kGrowthRows), true});
}

std::string file_changes_line(const RamDiff& diff, const View& view) {
  if (!diff.is_known()) return "unknown, " + std::string(kNoFrames);
  if (!diff.has_names()) return "unknown, " + std::string(kNoNames);
  OwnerChange sum;
  for (const OwnerChange& change : diff.owners()) {
    if (change.owner.kind != RamOwner::Kind::kFile) continue;
    sum.before += change.before;
    sum.after += change.after;
    sum.stayed += change.stayed;
    sum.moved += change.moved;
  }
  const auto size = [&view](std::uint64_t pages) {
    return human_size(pages, view.header.page_size);
  };
  std::string text = fmt::format("from {} to {}", size(sum.before), size(sum.after));
  if (!diff.knows_stayed()) return text;
  return text + fmt::format(": {} came, {} went, {} stayed, {} of it in other frames",
                            size(sum.came()), size(sum.went()), size(sum.stayed), size(sum.moved));
}

Table file_changes_text(const RamDiff& diff, const View& view) {
  return owners_text(diff, kOwnerTables.front(), data_form(view));
}

BarChart file_changes_chart(const RamDiff& diff, const View& view, std::size_t rows) {
  BarChart chart;
  chart.title = "Files in the page cache: what came and went";
  // With the origin it would not fit; the numbers say more.
  chart.subtitle = file_changes_line(diff, view);
  chart.series = {"stayed", "went", "came"};
  chart.bar_titles = {"before", "after"};
  chart.page_size = view.header.page_size.bytes;
  for (const OwnerChange* row : changed_owners(diff, false)) {
    if (row->owner.kind != RamOwner::Kind::kFile) continue;
    chart.groups.push_back(
        {row->owner.name, {{row->stayed, row->went(), 0}, {row->stayed, 0, row->came()}}});
  }
  keep_first(chart, rows);
  return chart;
}

Table class_changes_table(const RamDiff& diff) {
  Table table{{"diff-classes",
               "",
               {{"Class", Kind::kText}, {"Before", Kind::kSize}, {"After", Kind::kSize}}},
              {}};
  for (const ClassChange& row : diff.classes())
    table.rows.push_back({class_cell(row.name), row.before, row.after});
  return table;
}

TableHead owner_changes_head() {
  return {"diff-owners",
          "",
          {{"Kind", Kind::kText},
           {"State", Kind::kText},
           {"Before", Kind::kSize},
           {"After", Kind::kSize},
           {"Came", Kind::kSize},
           {"Went", Kind::kSize},
           {"Stayed", Kind::kSize},
           {"Moved", Kind::kSize},
           {"Identity", Kind::kText},
           {"Name", Kind::kText}}};
}

std::vector<const OwnerChange*> changed_owners(const RamDiff& diff, bool with_unchanged) {
  std::vector<const OwnerChange*> rows;
  for (const OwnerChange& row : diff.owners())
    if (row.has_pages() && (with_unchanged || diff.has_changed(row))) rows.push_back(&row);
  const auto key = [](const OwnerChange& c) {
    return std::tuple(std::max(c.before, c.after) - std::min(c.before, c.after),
                      c.came() + c.went() + c.moved);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto* a, const auto* b) { return key(*a) > key(*b); });
  return rows;
}

std::vector<Cell> owner_change_cells(const RamDiff& diff, const OwnerChange& change) {
  std::vector<Cell> cells{owner_kind(change.owner.kind), state_of(change), change.before,
                          change.after};
  const std::vector<Cell> frames = frame_cells(diff, change);
  cells.insert(cells.end(), frames.begin(), frames.end());
  cells.insert(cells.end(), {Cell(owner_identity(change.owner)), Cell(change.owner.name)});
  return cells;
}

}  // namespace physmem
