// SPDX-License-Identifier: MIT
#include "top/screen/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "program/printable.h"
#include "top/screen/fit.h"

namespace physmem::top {
namespace {

/// A sum, as far as it is known. `has_more`: a part of it is not.
std::string known_text(const std::optional<Kib>& known, bool has_more) {
  return known && has_more ? at_least_text(*known) : size_text(known);
}

std::string number_text(const Numbers& numbers, SortKey key) {
  switch (key) {
    case SortKey::kUss:
      return known_text(numbers.uss, numbers.uss_unread != 0 || numbers.is_uss_of_several);
    case SortKey::kPss:
      return known_text(numbers.pss, numbers.pss_unread != 0);
    case SortKey::kRss:
      return size_text(numbers.rss);
    case SortKey::kSwap:
      return size_text(numbers.swap);
    case SortKey::kMinors:
      return rate_text(numbers.minors);
    case SortKey::kMajors:
      return rate_text(numbers.majors);
    case SortKey::kCpu:
      return percent_text(numbers.cpu);
    default:
      return "";
  }
}

std::string title(const Row& row) {
  const std::string indent(row.depth * 2, ' ');
  if (row.process != nullptr) return indent + for_terminal(row.process->command);
  return indent + (row.is_collapsed ? "+ " : "- ") + for_terminal(row.label) +
         fmt::format(" ({})", row.members);
}

std::string cell_text(const Row& row, const TableColumn& column) {
  if (column.is_cgroup) return for_terminal(row.cgroup);
  if (column.key == SortKey::kCommand) return title(row);
  if (column.key == SortKey::kPid)
    return row.process != nullptr ? std::to_string(row.process->pid) : "";
  if (column.key == SortKey::kUser) return for_terminal(row.user);
  return number_text(row.numbers, column.key);
}

std::string aligned(const std::string& text, const TableColumn& column) {
  return column.is_left ? left_aligned(text, column.width) : right_aligned(text, column.width);
}

}  // namespace

Line heading_line(const std::vector<TableColumn>& columns, const Order& order) {
  Line line;
  for (const TableColumn& column : columns) {
    const bool is_key = !column.is_cgroup && column.key == order.key;
    if (!line.empty()) line.push_back({Style::kHeading, " "});
    line.push_back({is_key ? Style::kSortedBy : Style::kHeading, aligned(column.title, column)});
  }
  return line;
}

Line row_line(const Row& row, const std::vector<TableColumn>& columns) {
  Line line{{row.process == nullptr ? Style::kGroup : Style::kPlain, ""}};
  for (const TableColumn& column : columns)
    line.front().text += (column.start == 0 ? "" : " ") + aligned(cell_text(row, column), column);
  return line;
}

Line total_line(const Shown& shown, const std::vector<TableColumn>& columns) {
  Line line{{Style::kBold, ""}};
  const std::string count = fmt::format("{} process{}", shown.selected_processes,
                                        shown.selected_processes == 1 ? "" : "es");
  for (const TableColumn& column : columns) {
    const bool is_number = column.key != SortKey::kPid && column.key != SortKey::kUser &&
                           column.key != SortKey::kCommand;
    std::string text;
    if (is_number) text = number_text(shown.total, column.key);
    if (column.key == SortKey::kPid) text = "TOTAL";
    if (column.key == SortKey::kCommand && !column.is_cgroup) text = count;
    line.front().text += (column.start == 0 ? "" : " ") + aligned(text, column);
  }
  return line;
}

Line empty_line(const View& view) {
  const Selection& selection = view.selection;
  std::string text = "no processes";
  if (!selection.only.is_all()) text = "no process matches the options";
  if (!selection.filter.is_empty())
    text = "no process matches " + in_quotes(selection.filter.text());
  if (selection.filter.is_wrong())
    text =
        "filter: found " + in_quotes(selection.filter.text()) + ", expected a regular expression";
  return {{Style::kWarning, shortened(text, view.width)}};
}

std::vector<Line> table_lines(const Shown& shown, const View& view) {
  const auto columns = table_columns(view.width, view.is_tree);
  std::vector<Line> lines{heading_line(columns, view.order)};
  const std::size_t visible = table_rows(view);
  for (std::size_t i = view.first; i < view.first + visible; ++i) {
    Line line;
    if (shown.rows.empty() && i == 0) {
      lines.push_back(empty_line(view));
      continue;
    }
    if (i < shown.rows.size()) line = row_line(shown.rows[i], columns);
    if (i == view.cursor && !line.empty()) line.front().style = Style::kSelected;
    lines.push_back(std::move(line));
  }
  lines.push_back(total_line(shown, columns));
  return lines;
}

}  // namespace physmem::top
