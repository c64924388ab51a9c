// SPDX-License-Identifier: MIT
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/report/cell_text.h"
#include "analyzer/report/numbered_lines.h"
#include "analyzer/report/table_writer.h"

namespace physmem {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Blanks at an end need quotes because readers of the paper's form drop them.
bool needs_quotes(std::string_view field) {
  if (field.empty()) return false;
  return is_blank(field.front()) || is_blank(field.back()) ||
         field.find_first_of(",\"\r\n") != std::string_view::npos;
}

class CsvTableWriter : public TableWriter {
 public:
  CsvTableWriter(std::ostream& out, bool with_titles) : out_(out), with_titles_(with_titles) {}

  void begin(const TableHead& head) override {
    if (started_) out_ << '\n';
    started_ = true;
    columns_ = head.columns;
    if (!with_titles_ || !has_titles(head)) return;
    for (const Column& column : columns_) add_field(column.title);
    write_line();
  }

  void row(const std::vector<Cell>& cells) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      field_.clear();
      append_cell(field_, cell_at(cells, i), columns_[i].kind);
      add_field(field_);
    }
    write_line();
  }

  std::size_t prepare(std::vector<Cell> cells) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      field_.clear();
      if (i != 0) append_cell(field_, cell_at(cells, i), columns_[i].kind);
      add_field(field_);
    }
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
  }

  void forget_prepared() override {
    TableWriter::forget_prepared();
    numbered_.clear();
  }

  void end() override {}

 private:
  void add_field(std::string_view field) {
    const bool first = fields_++ == 0;
    if (!first) line_ += ',';
    if (needs_quotes(field)) return add_quoted(field);
    if (!first && !field.empty()) line_ += ' ';
    line_ += field;
  }

  void add_quoted(std::string_view field) {
    line_ += '"';
    for (const char c : field) {
      if (c == '"') line_ += '"';
      line_ += c;
    }
    line_ += '"';
  }

  void write_line() {
    if (line_.empty()) line_ = R"("")";  // a lone empty field: readers skip an empty line
    line_ += '\n';
    out_ << line_;
    line_.clear();
    fields_ = 0;
  }

  std::ostream& out_;
  bool with_titles_;
  std::vector<Column> columns_;
  std::string field_;
  std::string line_;
  std::size_t fields_ = 0;
  std::vector<NumberedLines> numbered_;  ///< of prepared rows
  bool started_ = false;
};

}  // namespace

std::unique_ptr<TableWriter> csv_table_writer(std::ostream& out, bool with_titles) {
  return std::make_unique<CsvTableWriter>(out, with_titles);
}

}  // namespace physmem
