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

/// The first cells of rows: `count` numbers from `begin` on, each `step` more than the one before.
struct Numbers {
  std::uint64_t begin = 0;
  std::uint64_t step = 0;
  std::uint64_t count = 1;
};

/// begin, rows, notes, end; then begin again for the next table. A failed write shows in the
/// stream's own state. A row with fewer cells than columns ends with unknown ones.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  virtual void begin(const TableHead& head) = 0;
  virtual void row(const std::vector<Cell>& cells) = 0;
  /// Rows that differ in their first cell only, a number: what the others say is made ready once.
  /// Gives the number to name it by, from 0 on.
  virtual std::size_t prepare(std::vector<Cell> cells);
  virtual void prepared_rows(const Numbers& first, std::size_t prepared);
  /// Nobody asks for those that are ready any more.
  virtual void forget_prepared();
  /// A line below the table, after the last row. Only text shows it: CSV and JSON hold data.
  virtual void note(std::string_view line);
  virtual void end() = 0;

  void write(const Table& table);

 protected:
  std::vector<std::vector<Cell>> prepared_;
};

/// The rows whose widths decide how wide the columns of a text table are. They wait in memory;
/// later rows do not, and a wider cell among them moves its line out of line.
inline constexpr std::size_t kMeasuredRows = 4096;

/// Columns in line with each other; no heading when no column has a title.
std::unique_ptr<TableWriter> text_table_writer(std::ostream& out);

/// RFC 4180 with line feeds: a comma between fields, quotes only where they are needed. A table
/// that is figure 2 of the paper has a blank after each comma, but for quoted fields.
std::unique_ptr<TableWriter> csv_table_writer(std::ostream& out, CsvStyle style = {});

/// One object a table: {"report": name, "title": …, "rows": [{key: value}, …]}. Unknown cells are
/// null. A key that comes twice (figure 2 has two columns "Name") gets "_2" the second time.
std::unique_ptr<TableWriter> json_table_writer(std::ostream& out);

}  // namespace physmem
