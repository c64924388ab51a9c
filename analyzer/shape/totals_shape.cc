// SPDX-License-Identifier: MIT
#include "analyzer/shape/totals_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace physmem {
namespace {

using Kind = Column::Kind;

std::vector<std::uint64_t> bar(const UnitPages& pages) {
  return {pages.bss, pages.data, pages.text};
}

}  // namespace

std::vector<std::string> unit_labels(const std::vector<UnitTotalsRow>& rows) {
  std::map<std::string, std::size_t> of_path;
  for (const UnitTotalsRow& row : rows) ++of_path[row.unit];
  std::vector<std::string> labels;
  for (const UnitTotalsRow& row : rows) {
    const std::string& path = row.unit;
    labels.push_back(unit_label(path, row.key, of_path[path] == 1));
  }
  return labels;
}

Table totals_table(const std::vector<UnitTotalsRow>& rows, const View& view) {
  Table table{{"totals",
               fmt::format("{} pages of each executable unit over all processes",
                           view.is_virtual ? "Virtual" : "Physical"),
               {{"Unit", Kind::kText}, {".bss"}, {".data"}, {".text"}, {"Total"}}},
              {}};
  if (view.is_virtual) table.head.columns.push_back({"Resident"});
  if (view.is_full)
    table.head.columns.insert(
        table.head.columns.end(),
        {{"Processes"}, {"Resident sum"}, {"Unique sum"}, {"Proportional sum"}});
  const std::vector<std::string> labels = unit_labels(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const UnitTotalsRow& row = rows[i];
    const UnitPages& pages = view.is_virtual ? row.virtual_pages : row.physical;
    std::vector<Cell>& cells = table.rows.emplace_back();
    // Only M: lines show which frames are the same.
    const bool is_known = view.is_virtual || view.header.has_pages;
    cells = {labels[i], pages.bss, pages.data, pages.text, pages.total()};
    if (!is_known) std::fill(cells.begin() + 1, cells.end(), Cell());
    if (view.is_virtual) cells.emplace_back(row.in_one_process.total());
    if (!view.is_full) continue;
    cells.insert(cells.end(), {Cell(row.processes), Cell(row.resident), Cell(row.unique)});
    cells.push_back(row.is_share_known ? Cell(row.share.pages()) : Cell());
  }
  return table;
}

BarChart totals_chart(const std::vector<UnitTotalsRow>& rows, const View& view) {
  BarChart chart;
  chart.title = view.is_virtual
                    ? "Virtual and resident memory of each executable unit, in one process"
                    : "Physical memory of each executable unit, over all processes";
  chart.subtitle = origin(view.header);
  chart.series = {".bss", ".data", ".text"};
  chart.bar_titles = {"physical"};
  // Frames over all processes cannot be compared with the size in one process.
  if (view.is_virtual) chart.bar_titles = {"resident", "virtual"};
  chart.page_size = view.header.page_size.bytes;
  std::vector<UnitTotalsRow> shown = rows;
  if (view.is_virtual)
    std::stable_sort(shown.begin(), shown.end(), [](auto& a, auto& b) {
      return a.virtual_pages.total() > b.virtual_pages.total();
    });
  const std::vector<std::string> labels = unit_labels(shown);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const UnitTotalsRow& row = shown[i];
    BarChart::Group& group = chart.groups.emplace_back();
    group.label = labels[i];
    group.bars.push_back(bar(view.is_virtual ? row.in_one_process : row.physical));
    if (view.is_virtual) group.bars.push_back(bar(row.virtual_pages));
  }
  return chart;
}

}  // namespace physmem
