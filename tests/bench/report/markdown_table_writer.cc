// SPDX-License-Identifier: MIT
#include "tests/bench/report/markdown_table_writer.h"

#include <ostream>
#include <string>

#include "analyzer/report/cell_text.h"

namespace physmem::bench {
namespace {

class MarkdownTableWriter : public TableWriter {
 public:
  explicit MarkdownTableWriter(std::ostream& out) : out_(out) {}

  void begin(const TableHead& head) override {
    columns_ = head.columns;
    is_noted_ = false;
    if (!head.title.empty()) out_ << escaped(head.title) << "\n\n";
    for (const Column& column : columns_) out_ << "| " << escaped(column.title) << ' ';
    out_ << "|\n";
    for (const Column& column : columns_)
      out_ << (column.kind == Column::Kind::kText ? "|---" : "|---:");
    out_ << "|\n";
  }

  void row(const std::vector<Cell>& cells) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::string text;
      append_cell(text, cell_at(cells, i), columns_[i].kind);
      out_ << "| " << escaped(text) << (text.empty() ? "" : " ");
    }
    out_ << "|\n";
  }

  void note(std::string_view line) override {
    if (!is_noted_) out_ << '\n';
    is_noted_ = true;
    out_ << "- " << escaped(line) << '\n';
  }

  void end() override {}

 private:
  static std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (c == '|' || c == '\\' || c == '*' || c == '<') result += '\\';
      result += c;
    }
    return result;
  }

  std::ostream& out_;
  std::vector<Column> columns_;
  bool is_noted_ = false;
};

}  // namespace

std::unique_ptr<TableWriter> markdown_table_writer(std::ostream& out) {
  return std::make_unique<MarkdownTableWriter>(out);
}

}  // namespace physmem::bench
