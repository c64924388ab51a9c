// SPDX-License-Identifier: MIT
// Tables as text, CSV and JSON, row by row: a page dump has as many rows as the machine has frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

#include "analyzer/report/csv_field.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// The first cells of rows: `count` numbers from `begin` on, in steps of `step`.
struct Numbers {
  std::uint64_t begin = 0;
  std::uint64_t step = 0;
  std::uint64_t count = 1;
};

/// Call begin, rows, notes, end; then begin again for the next table. A failed write sets the
/// stream's state. Missing cells at the end of a row are unknown.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  virtual void begin(const TableHead& head) = 0;
  virtual void row(const std::vector<Cell>& cells) = 0;
  /// Prepares the other cells of rows that differ only in their first cell, a number. Returns the
  /// number of the prepared row, from 0 on.
  virtual std::size_t prepare(std::vector<Cell> cells);
  virtual void prepared_rows(const Numbers& first, std::size_t prepared);
  /// Drops all prepared rows.
  virtual void drop_prepared();
  /// A line below the table, after the last row. It is only written as text; CSV and JSON contain
  /// data.
  virtual void note(std::string_view line);
  virtual void end() = 0;

  void write(const Table& table);

 protected:
  std::vector<std::vector<Cell>> prepared_;
};

/// Number of rows that determine the column widths of a text table. They are held in memory. A
/// wider cell in a later row shifts the rest of its line.
inline constexpr std::size_t kMeasuredRows = 4096;

/// Aligned columns; no heading if no column has a title. `columns`: of the terminal, which all
/// lines fit (column_fit.h); 0: any number.
std::unique_ptr<TableWriter> text_table_writer(std::ostream& out, std::size_t columns = 0);

/// RFC 4180 with line feeds: a comma between fields, quotes only if necessary. In figure 2 of the
/// paper, a blank follows each comma, except before quoted fields.
std::unique_ptr<TableWriter> csv_table_writer(std::ostream& out, CsvStyle style = {});

/// One object per table: {"report": name, "title": …, "rows": [{key: value}, …]}. Unknown cells are
/// null. A repeated key gets the suffix "_2" (figure 2 has two columns "Name").
std::unique_ptr<TableWriter> json_table_writer(std::ostream& out);
/// The same without line ends.
std::unique_ptr<TableWriter> json_line_writer(std::ostream& out);

}  // namespace physmem
