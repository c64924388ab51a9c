// SPDX-License-Identifier: MIT
#include "analyzer/shape/totals_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace physmem {
namespace {

using Kind = Column::Kind;

std::vector<std::uint64_t> bar(const UnitPages& pages) {
  return {pages.bss, pages.data, pages.text};
}

}  // namespace

Table totals_table(const std::vector<UnitTotalsRow>& rows, const View& view) {
  Table table{{"totals",
               fmt::format("{} pages of each executable unit over all processes",
                           view.is_virtual ? "Virtual" : "Physical"),
               {{"Unit", Kind::kText}, {".bss"}, {".data"}, {".text"}, {"Total"}}},
              {}};
  if (view.is_full)
    table.head.columns.insert(table.head.columns.end(),
                              {{"Processes"}, {"Resident sum"}, {"Unique sum"}, {"Proportional sum"}});
  for (const UnitTotalsRow& row : rows) {
    const UnitPages& pages = view.is_virtual ? row.virtual_pages : row.physical;
    std::vector<Cell>& cells = table.rows.emplace_back();
    // Which frames are the same, only M: lines tell.
    const bool is_known = view.is_virtual || view.header.has_pages;
    cells = {row.unit, pages.bss, pages.data, pages.text, pages.total()};
    if (!is_known) std::fill(cells.begin() + 1, cells.end(), Cell());
    if (!view.is_full) continue;
    cells.insert(cells.end(), {Cell(row.processes), Cell(row.resident), Cell(row.unique)});
    cells.push_back(row.is_share_known ? Cell(row.share.pages()) : Cell());
  }
  return table;
}

BarChart totals_chart(const std::vector<UnitTotalsRow>& rows, const View& view) {
  BarChart chart;
  chart.title = view.is_virtual ? "Virtual and physical memory of each executable unit"
                                : "Physical memory of each executable unit, over all processes";
  chart.subtitle = origin(view.header);
  chart.series = {".bss", ".data", ".text"};
  chart.bar_titles = {"physical"};
  if (view.is_virtual) chart.bar_titles.emplace_back("virtual");
  chart.page_size = view.header.page_size.bytes;
  std::vector<UnitTotalsRow> shown = rows;
  if (view.is_virtual)
    std::stable_sort(shown.begin(), shown.end(),
                     [](auto& a, auto& b) { return a.virtual_pages.total() > b.virtual_pages.total(); });
  for (const UnitTotalsRow& row : shown) {
    BarChart::Group& group = chart.groups.emplace_back();
    group.label = row.unit;
    group.bars.push_back(bar(row.physical));
    if (view.is_virtual) group.bars.push_back(bar(row.virtual_pages));
  }
  return chart;
}

}  // namespace physmem
