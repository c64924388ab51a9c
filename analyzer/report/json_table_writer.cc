// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "analyzer/report/cell_text.h"
#include "analyzer/report/json_text.h"
#include "analyzer/report/table_writer.h"

namespace physmem {
namespace {

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// "Lib .text" -> "lib_text".
std::string key_of(const std::string& title) {
  std::string key;
  for (const char c : title) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (is_key_character(lower)) {
      key += lower;
    } else if (!key.empty() && key.back() != '_') {
      key += '_';
    }
  }
  if (!key.empty() && key.back() == '_') key.pop_back();
  return key.empty() ? "value" : key;
}

std::vector<std::string> keys_of(const std::vector<Column>& columns) {
  std::vector<std::string> keys;
  for (const Column& column : columns) {
    const std::string wanted = column.key.empty() ? key_of(column.title) : column.key;
    std::string key = wanted;
    for (int n = 2; std::find(keys.begin(), keys.end(), key) != keys.end(); ++n)
      key = fmt::format("{}_{}", wanted, n);
    keys.push_back(key);
  }
  return keys;
}

class JsonTableWriter : public TableWriter {
 public:
  JsonTableWriter(std::ostream& out, bool is_one_line) : out_(out), is_one_line_(is_one_line) {}

  void begin(const TableHead& head) override {
    columns_ = head.columns;
    lead_ins_.clear();
    for (const std::string& key : keys_of(columns_))
      lead_ins_.push_back((lead_ins_.empty() ? "{" : ", ") + json_text(key) + ": ");
    rows_ = 0;
    out_ << R"({"report": )" << json_text(head.name) << R"(, "title": )" << json_text(head.title)
         << R"(, "rows": [)";
  }

  void row(const std::vector<Cell>& cells) override {
    line_ = rows_++ == 0 ? "" : ",";
    line_ += is_one_line_ ? "" : "\n  ";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      line_ += lead_ins_[i];
      append_value(cell_at(cells, i), columns_[i].kind);
    }
    line_ += columns_.empty() ? "{}" : "}";
    out_ << line_;
  }

  void end() override {
    if (is_one_line_)
      out_ << "]}";
    else
      out_ << (rows_ == 0 ? "]}\n" : "\n]}\n");
  }

 private:
  void append_value(const Cell& cell, Column::Kind kind) {
    const std::string* text = plain_text(cell);
    const bool hex = kind == Column::Kind::kHex && std::holds_alternative<std::uint64_t>(cell);
    if (is_unknown(cell)) {
      line_ += "null";
    } else if (text != nullptr) {
      line_ += json_text(*text);
    } else {
      if (hex) line_ += '"';
      append_cell(line_, cell, kind);
      if (hex) line_ += '"';
    }
  }

  std::ostream& out_;
  bool is_one_line_;
  std::vector<Column> columns_;
  std::vector<std::string> lead_ins_;  // what comes before each value: brace or comma, and the key
  std::string line_;
  std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<TableWriter> json_table_writer(std::ostream& out) {
  return std::make_unique<JsonTableWriter>(out, false);
}

std::unique_ptr<TableWriter> json_line_writer(std::ostream& out) {
  return std::make_unique<JsonTableWriter>(out, true);
}

}  // namespace physmem
