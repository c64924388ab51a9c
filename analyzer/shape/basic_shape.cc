// SPDX-License-Identifier: MIT
#include "analyzer/shape/basic_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace physmem {
namespace {

using Kind = Column::Kind;

std::vector<Column> paper_columns() {
  return {{"Name", Kind::kText, "name"},
          {"RW Count", Kind::kNumber, "rw"},
          {"RX Count", Kind::kNumber, "rx"},
          {"Total", Kind::kNumber, "total"},
          {"Name", Kind::kText, "name"},
          {"Stack", Kind::kNumber, "stack"},
          {".Data", Kind::kNumber, "data"},
          {".Text", Kind::kNumber, "text"},
          {"Heap", Kind::kNumber, "heap"},
          {"Lib .bss", Kind::kNumber, "lib_bss"},
          {"Lib .data", Kind::kNumber, "lib_data"},
          {"Lib .text", Kind::kNumber, "lib_text"},
          {"Single", Kind::kNumber, "single"},
          {"Multi", Kind::kNumber, "multi"}};
}

std::vector<Column> full_columns() {
  return {{"App .bss", Kind::kNumber, "app_bss"},
          {"Mapped files", Kind::kNumber, "mapped_file"},
          {"Shared memory", Kind::kNumber, "shared_memory"},
          {"Special", Kind::kNumber, "special"},
          {"Unexplained", Kind::kNumber, "unexplained"},
          {"Swapped", Kind::kNumber, "swapped"},
          {"Unique", Kind::kNumber, "unique"},
          {"Proportional", Kind::kNumber, "proportional"}};
}

std::vector<Cell> paper_cells(const BasicRow& row, const PaperColumns& c) {
  return {row.name, c.rw(), c.rx(),    c.total(),  row.name,   c.stack,    c.data,
          c.text,   c.heap, c.lib_bss, c.lib_data, c.lib_text, row.single, row.multi};
}

void add_full_cells(std::vector<Cell>& cells, const BasicRow& row, const RegionPages& pages) {
  for (const Region region : {Region::kAppBss, Region::kMappedFile, Region::kSharedMemory,
                              Region::kSpecial, Region::kUnexplained})
    cells.emplace_back(pages.of(region));
  cells.emplace_back(row.swapped);
  cells.emplace_back(row.unique);
  cells.push_back(row.is_share_known ? Cell(row.share.pages()) : Cell());
}

/// Clears the numbers of a process without areas, of which only name and id are known.
void clear_numbers(std::vector<Cell>& cells, const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (columns[i].kind == Kind::kNumber && columns[i].title != "PID") cells[i] = Cell();
}

std::vector<std::uint64_t> bar(const RegionPages& pages) {
  const PaperColumns c(pages);
  return {c.stack, c.data, c.text, c.heap, c.lib_bss, c.lib_data, c.lib_text};
}

}  // namespace

Table basic_table(const std::vector<BasicRow>& rows, const View& view) {
  Table table{
      {"basic", fmt::format("{} pages of each process", view.is_virtual ? "Virtual" : "Physical"),
       paper_columns()},
      {}};
  const bool has_pid = view.is_full || view.names_pids;
  table.head.is_figure_2 = !has_pid;
  if (has_pid) table.head.columns.push_back({"PID", Kind::kNumber, "pid"});
  if (view.is_full)
    for (Column& column : full_columns()) table.head.columns.push_back(std::move(column));
  for (const BasicRow& row : rows) {
    const RegionPages& pages = view.is_virtual ? row.virtual_pages : row.physical;
    std::vector<Cell>& cells = table.rows.emplace_back(paper_cells(row, PaperColumns(pages)));
    if (has_pid) cells.emplace_back(row.pid);
    if (view.is_full) add_full_cells(cells, row, pages);
    if (!view.header.has_areas || !row.is_read) clear_numbers(cells, table.head.columns);
  }
  return table;
}

BarChart basic_chart(const std::vector<BasicRow>& rows, const View& view) {
  BarChart chart;
  chart.title = view.is_virtual ? "Virtual and physical memory of each process"
                                : "Physical memory of each process";
  chart.subtitle = origin(view.header);
  chart.series = {"Stack", ".Data", ".Text", "Heap", "Lib .bss", "Lib .data", "Lib .text"};
  chart.bar_titles = {"physical"};
  if (view.is_virtual) chart.bar_titles.emplace_back("virtual");
  chart.page_size = view.header.page_size.bytes;
  std::vector<const BasicRow*> shown;
  for (const BasicRow& row : rows)
    if (PaperColumns(row.virtual_pages).total() != 0) shown.push_back(&row);
  const auto size = [&](const BasicRow* row) {
    return PaperColumns(view.is_virtual ? row->virtual_pages : row->physical).total();
  };
  std::stable_sort(shown.begin(), shown.end(), [&](auto* a, auto* b) { return size(a) > size(b); });
  for (const BasicRow* row : shown) {
    BarChart::Group& group = chart.groups.emplace_back();
    group.label = fmt::format("{} ({})", row->name, row->pid);
    group.bars.push_back(bar(row->physical));
    if (view.is_virtual) group.bars.push_back(bar(row->virtual_pages));
  }
  return chart;
}

}  // namespace physmem
