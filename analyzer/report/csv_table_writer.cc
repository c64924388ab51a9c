// SPDX-License-Identifier: MIT
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/report/cell_text.h"
#include "analyzer/report/csv_field.h"
#include "analyzer/report/numbered_lines.h"
#include "analyzer/report/table_writer.h"

namespace physmem {
namespace {

class CsvTableWriter : public TableWriter {
 public:
  CsvTableWriter(std::ostream& out, CsvStyle style) : out_(out), style_(style) {}

  void begin(const TableHead& head) override {
    if (started_) out_ << '\n';
    started_ = true;
    columns_ = head.columns;
    has_blanks_ = head.is_figure_2;
    if (!style_.with_titles || !has_titles(head)) return;
    for (const Column& column : columns_) add_field(column.title);
    write_line();
  }

  void row(const std::vector<Cell>& cells) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) add_cell(cell_at(cells, i), columns_[i].kind);
    write_line();
  }

  std::size_t prepare(std::vector<Cell> cells) override {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      add_cell(i == 0 ? Cell() : cell_at(cells, i), columns_[i].kind);
    line_ += '\n';
    const std::size_t number = TableWriter::prepare({});
    numbered_.push_back({columns_.front().kind, 0, std::exchange(line_, {})});
    fields_ = 0;
    return number;
  }

  void prepared_rows(const Numbers& first, std::size_t prepared) override {
    numbered_[prepared].append(line_, first);
    out_ << line_;
    line_.clear();
    count_lines(first.count);
  }

  void drop_prepared() override {
    TableWriter::drop_prepared();
    numbered_.clear();
  }

  void end() override {}

 private:
  void add_cell(const Cell& cell, Column::Kind kind) {
    field_.clear();
    if (const std::string* text = plain_text(cell))
      field_ = csv_text(*text, style_);
    else
      append_cell(field_, cell, kind);
    add_field(field_);
  }

  /// By RFC 4180, an opening quote must directly follow the comma.
  void add_field(std::string_view field) {
    const bool first = fields_++ == 0;
    if (!first) line_ += ',';
    if (has_blanks_ && !first && !field.empty() && !needs_csv_quotes(field)) line_ += ' ';
    append_csv_field(line_, field);
  }

  void write_line() {
    if (line_.empty()) line_ = R"("")";  // a lone empty field: readers skip an empty line
    line_ += '\n';
    out_ << line_;
    line_.clear();
    fields_ = 0;
    count_lines(1);
  }

  void count_lines(std::uint64_t lines) {
    if (style_.lines != nullptr) *style_.lines += lines;
  }

  std::ostream& out_;
  CsvStyle style_;
  bool has_blanks_ = false;  ///< between the fields
  std::vector<Column> columns_;
  std::string field_;
  std::string line_;
  std::size_t fields_ = 0;
  std::vector<NumberedLines> numbered_;  ///< of prepared rows
  bool started_ = false;
};

}  // namespace

std::unique_ptr<TableWriter> csv_table_writer(std::ostream& out, CsvStyle style) {
  return std::make_unique<CsvTableWriter>(out, style);
}

}  // namespace physmem
