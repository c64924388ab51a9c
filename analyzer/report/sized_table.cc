// SPDX-License-Identifier: MIT
#include "analyzer/report/sized_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace physmem {
namespace {

/// Pages have no unit, except in the column Size.
void add_unit(Column& column, const SizeCells& sizes) {
  const std::string unit = sizes.unit();
  if (column.title == "Size") {
    column.title = unit;
    if (unit == "pages" || unit == "bytes") column.title[0] -= 'a' - 'A';
  } else if (unit != "pages") {
    if (!column.key.empty()) column.key += "_" + sizes.key();
    column.title += " " + unit;
  }
}

bool has_sizes(const TableHead& head) {
  return std::any_of(head.columns.begin(), head.columns.end(),
                     [](const Column& column) { return column.kind == Column::Kind::kSize; });
}

TableHead with_unit(TableHead head, const SizeCells& sizes, UnitPlace place) {
  if (!has_sizes(head)) return head;
  const bool is_in_title = place == UnitPlace::kTitle && !head.title.empty();
  if (is_in_title) head.title += fmt::format(" ({})", sizes.unit());
  for (Column& column : head.columns) {
    if (column.kind != Column::Kind::kSize) continue;
    column.kind = Column::Kind::kNumber;
    if (!is_in_title) add_unit(column, sizes);
  }
  return head;
}

/// `columns`: as they were before with_unit().
void scale(std::vector<Cell>& row, const std::vector<Column>& columns, const SizeCells& sizes,
           UnitPlace place) {
  for (std::size_t i = 0; i < row.size() && i < columns.size(); ++i) {
    if (columns[i].kind != Column::Kind::kSize) continue;
    const auto* const change = std::get_if<SizeChange>(&row[i]);
    const bool is_number = change != nullptr && place == UnitPlace::kColumns;
    row[i] = is_number ? sizes.difference(*change) : sizes.cell(row[i]);
  }
}

class SizedTableWriter : public TableWriter {
 public:
  SizedTableWriter(std::unique_ptr<TableWriter> inner, const SizeCells& sizes, UnitPlace place)
      : inner_(std::move(inner)), sizes_(sizes), place_(place) {}

  void begin(const TableHead& head) override {
    columns_ = has_sizes(head) ? head.columns : std::vector<Column>();
    inner_->begin(with_unit(head, sizes_, place_));
  }

  void row(const std::vector<Cell>& cells) override {
    if (columns_.empty()) return inner_->row(cells);
    row_ = cells;
    scale(row_, columns_, sizes_, place_);
    inner_->row(row_);
  }

  // Tables with sizes have no prepared rows.
  std::size_t prepare(std::vector<Cell> cells) override {
    return inner_->prepare(std::move(cells));
  }
  void prepared_rows(const Numbers& first, std::size_t prepared) override {
    inner_->prepared_rows(first, prepared);
  }
  void drop_prepared() override { inner_->drop_prepared(); }
  void note(std::string_view line) override { inner_->note(line); }
  void end() override { inner_->end(); }

 private:
  std::unique_ptr<TableWriter> inner_;
  SizeCells sizes_;
  UnitPlace place_;
  std::vector<Column> columns_;  ///< of a table with sizes, as it was
  std::vector<Cell> row_;
};

}  // namespace

Table in_unit(Table table, const SizeCells& sizes, UnitPlace place) {
  for (std::vector<Cell>& row : table.rows) scale(row, table.head.columns, sizes, place);
  table.head = with_unit(std::move(table.head), sizes, place);
  return table;
}

std::unique_ptr<TableWriter> sized_table_writer(std::unique_ptr<TableWriter> inner,
                                                const SizeCells& sizes, UnitPlace place) {
  return std::make_unique<SizedTableWriter>(std::move(inner), sizes, place);
}

}  // namespace physmem
