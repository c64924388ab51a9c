// SPDX-License-Identifier: MIT
#include "analyzer/cli/series_question.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "analyzer/input/notes.h"
#include "analyzer/shape/diff_chart.h"
#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/growth_shape.h"
#include "analyzer/shape/leaks_shape.h"
#include "analyzer/shape/ram_diff_shape.h"
#include "analyzer/shape/ram_leaks_shape.h"
#include "program/terminal.h"
#include "program/user_names.h"

namespace physmem {

void DiffQuestion::answer(Printer& printer, const View& view) {
  if (is_of_this_machine(diff_.header_before()) && is_of_this_machine(diff_.header_after()))
    use_.user_name = user_name;
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return draw(printer, view);
  if (format == Format::kText) return write_text(printer, view);
  printer.table().write(diff_table(diff_, view));
  if (ram_.is_known()) write_ram(printer, view);
}

/// On a terminal that is too short for the usual number, so many rows of each table that all of
/// them fit, but two at least.
UseView DiffQuestion::shaped_for(const Printer& printer) const {
  constexpr std::size_t kFixedLines = 8, kLinesOfTable = 5, kMinRows = 2;
  constexpr std::size_t kLinesOfTotals = 4;
  UseView use = use_;
  const std::size_t height = printer.is_terminal() ? terminal_lines(STDOUT_FILENO) : 0;
  if (use.top || height == 0) return use;
  std::size_t used = kFixedLines;
  for (const std::string& sentence : missing())
    used += lines_of_message(sentence, printer.columns());
  if (has_totals()) used += kLinesOfTotals;
  const std::size_t tables = ram_.is_known() ? 4 : 2;
  used += kLinesOfTable * tables;
  use.top = std::clamp((height - std::min(height, used)) / tables, kMinRows, kGrowthRows);
  return use;
}

/// Tables for people on a terminal; in a pipe only on request, because programs read the others.
void DiffQuestion::write_text(Printer& printer, const View& view) const {
  const bool is_for_people = view.is_on_terminal || has_use_;
  const UseView use = shaped_for(printer);
  for (const Table& table :
       is_for_people ? growth_tables(diff_, use, view) : diff_tables(diff_, view))
    printer.table().write(table);
  if (has_totals()) {
    printer.lines({""});
    printer.lines(totals_growth(totals_));
  }
  if (!ram_.is_known()) return;
  for (const Table& table :
       is_for_people ? ram_growth_tables(ram_, use, view) : ram_diff_tables(ram_, view))
    printer.write_next(table);
}

void DiffQuestion::draw(Printer& printer, const View& view) const {
  const auto add = [&](BarChart chart) {
    chart.unit = use_.unit.value_or(SizeUnit::kMib);
    printer.add(std::move(chart));
  };
  add(process_changes_chart(diff_, use_, view));
  if (has_totals()) add(totals_changes_chart(totals_, view));
  if (!ram_.is_known()) return;
  add(class_changes_chart(ram_, view));
  add(file_changes_chart(ram_, view, use_.top.value_or(kChartRows)));
}

/// There may be a row for each of 100,000 files, so rows are written one by one.
void DiffQuestion::write_ram(Printer& printer, const View& view) const {
  const Table classes = class_changes_table(ram_);
  if (printer.can_have(classes.head.name)) printer.write_next(classes);
  const TableHead head = owner_changes_head();
  if (!printer.can_have(head.name)) return;
  TableWriter& table = printer.next_table();
  table.begin(head);
  for (const OwnerChange* row : changed_owners(ram_, view.is_full))
    table.row(owner_change_cells(ram_, *row));
  table.end();
}

std::vector<std::string> DiffQuestion::missing() const {
  std::vector<std::string> missing = diff_missing(diff_);
  if (ram_.is_half_known())
    missing.emplace_back(
        "only one of the snapshots has the frames of RAM: its totals are compared");
  return missing;
}

void LeaksQuestion::answer(Printer& printer, const View& view) {
  const std::vector<LeakRow> rows = search_.rows();
  const std::vector<RamLeakRow> ram = ram_.rows(rows);
  found_leak_ =
      std::any_of(rows.begin(), rows.end(),
                  [](const LeakRow& row) { return row.verdict.is_leak() && !row.has_ended; }) ||
      std::any_of(ram.begin(), ram.end(), [](const RamLeakRow& row) { return row.is_alert(); });
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(leaks_series(search_, rows, ram, view));
  if (format == Format::kText) printer.lines(leaks_text(search_, rows, ram, view));
  write_tables(printer, format, rows, ram, view);
}

/// In text, tables without rows are left out.
void LeaksQuestion::write_tables(Printer& printer, Format format, const std::vector<LeakRow>& rows,
                                 const std::vector<RamLeakRow>& ram, const View& view) const {
  const bool is_text = format == Format::kText;
  const Table processes = leaks_table(search_, rows, view);
  const Table others = ram_leaks_table(search_, ram, view);
  const bool has_processes = !is_text || !processes.rows.empty() || view.is_full;
  const bool has_others = is_text ? !others.rows.empty() : !ram.empty();
  if (is_text && (has_processes || has_others)) printer.lines({""});
  if (has_processes) printer.table().write(processes);
  if (has_others && printer.can_have(others.head.name)) printer.write_next(others);
}

std::vector<std::string> LeaksQuestion::missing() const {
  std::vector<std::string> missing = leaks_missing(search_);
  if (ram_.samples() != 0 && ram_.without_ram() != 0)
    missing.push_back(ram_missing(ram_.without_ram()));
  return missing;
}

}  // namespace physmem
