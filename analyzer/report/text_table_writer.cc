// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "analyzer/report/cell_text.h"
#include "analyzer/report/column_fit.h"
#include "analyzer/report/numbered_lines.h"
#include "analyzer/report/short_path.h"
#include "analyzer/report/table_writer.h"
#include "program/printable.h"

namespace physmem {
namespace {

using Texts = std::vector<std::string>;

/// Lowercases a number such as "0X7F", the paper's form.
void lower(std::string& hex) {
  for (char& c : hex)
    if (c >= 'A' && c <= 'X') c = static_cast<char>(c - 'A' + 'a');
}

class TextTableWriter : public TableWriter {
 public:
  TextTableWriter(std::ostream& out, std::size_t columns) : out_(out), columns_(columns) {}

  void begin(const TableHead& head) override {
    if (started_) out_ << '\n';
    started_ = true;
    head_ = head;
    waiting_.clear();
    measured_ = false;
    ambiguous_.clear();
    fit_ = {std::vector<std::size_t>(head.columns.size()),
            std::vector<bool>(head.columns.size(), true)};
    if (!head.title.empty()) write_sentence(head.title);
    if (has_titles(head)) hold(titles());
  }

  void row(const std::vector<Cell>& cells) override {
    Texts texts = texts_of(cells);
    if (measured_) return write_line(texts);
    hold(std::move(texts));
    if (waiting_.size() > kMeasuredRows) write_waiting();
  }

  std::size_t prepare(std::vector<Cell> cells) override {
    const std::size_t number = TableWriter::prepare(std::move(cells));
    numbered_.resize(number);
    numbered_.emplace_back();
    return number;
  }

  /// When the column widths are known, everything after the first column is copied as text. On a
  /// terminal each line is fitted instead.
  void prepared_rows(const Numbers& first, std::size_t prepared) override {
    if (!measured_ || columns_ != 0 || head_.columns.size() < 2)
      return TableWriter::prepared_rows(first, prepared);
    std::optional<NumberedLines>& lines = numbered_[prepared];
    if (!lines)
      lines.emplace(head_.columns.front().kind, fit_.widths.front(),
                    rest_of(std::exchange(prepared_[prepared], {})));
    lines->append(lines_, first);
    if (lines_.size() >= kManyLines) write_lines();
  }

  void drop_prepared() override {
    TableWriter::drop_prepared();
    numbered_.clear();
  }

  void note(std::string_view line) override {
    write_waiting();
    write_sentence(line);
  }

  void end() override {
    write_waiting();
    if (const std::string note = left_out_note(head_, fit_); !note.empty()) write_sentence(note);
  }

 private:
  static constexpr std::size_t kManyLines =
      std::size_t{64} * 1024;  ///< bytes, large enough that the stream's overhead does not matter

  void write_sentence(std::string_view text) {
    for (const std::string& line : wrapped(for_terminal(text), columns_)) out_ << line << '\n';
  }

  Texts titles() const {
    Texts texts;
    for (const Column& column : head_.columns) texts.push_back(for_terminal(column.title));
    return texts;
  }

  Texts texts_of(const std::vector<Cell>& cells) const {
    Texts texts(head_.columns.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Cell& cell = cell_at(cells, i);
      append_cell(texts[i], cell, head_.columns[i].kind);
      const bool is_plain = columns_ != 0 || head_.has_plain_hex;
      if (is_plain && head_.columns[i].kind == Column::Kind::kHex) lower(texts[i]);
      texts[i] = is_unknown(cell) ? "-" : for_terminal(texts[i]);
    }
    return texts;
  }

  /// The part of a line after its first column.
  std::string rest_of(const std::vector<Cell>& cells) const {
    std::string rest;
    add_columns(rest, texts_of(cells), 1, false);
    return rest;
  }

  void hold(Texts texts) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      fit_.widths[i] = std::max(fit_.widths[i], terminal_width(texts[i]));
    waiting_.push_back(std::move(texts));
  }

  void write_waiting() {
    bool is_heading = !measured_ && has_titles(head_);
    if (!std::exchange(measured_, true)) {
      fit_ = fit_columns(head_, fit_.widths, columns_);
      find_ambiguous();
    }
    for (const Texts& texts : waiting_) write_line(texts, std::exchange(is_heading, false));
    waiting_.clear();
    write_lines();
  }

  void write_line(const Texts& texts, bool is_heading = false) {
    if (columns_ == 0) {
      add_columns(lines_, texts, 0, is_heading);
    } else {
      std::string line;
      add_columns(line, texts, 0, is_heading);
      line.pop_back();
      lines_ += in_columns(line, columns_) + '\n';  // rows that were not measured may be wider
    }
    if (lines_.size() >= kManyLines) write_lines();
  }

  void write_lines() {
    out_ << lines_;
    lines_.clear();
  }

  /// Appends the columns from `first` to the end of the line.
  void add_columns(std::string& to, const Texts& texts, std::size_t first, bool is_heading) const {
    bool is_first = first == 0;
    for (std::size_t i = first; i < texts.size(); ++i) {
      if (!fit_.is_shown[i]) continue;
      if (!std::exchange(is_first, false)) to += head_.separator;
      const Column::Kind kind = head_.columns[i].kind;
      const std::string text = columns_ != 0 && (kind == Column::Kind::kText || is_heading)
                                   ? short_text(texts[i], i)
                                   : texts[i];
      const std::size_t width = terminal_width(text);
      const std::size_t padding = fit_.widths[i] > width ? fit_.widths[i] - width : 0;
      const bool left = kind == Column::Kind::kText || (is_heading && kind == Column::Kind::kHex);
      if (!left) to.append(padding, ' ');
      to += columns_ != 0 ? isolated(text) : text;
      if (left) to.append(padding, ' ');
    }
    to.erase(to.find_last_not_of(' ') + 1);
    to += '\n';
  }

  std::string short_text(const std::string& text, std::size_t column) const {
    const std::size_t width = std::max(fit_.widths[column], kLeastText);
    std::string shown = short_name(text, width);
    return ambiguous_.contains({column, shown}) ? short_name_by_beginning(text, width) : shown;
  }

  /// Finds different names that would look equal.
  void find_ambiguous() {
    std::map<std::pair<std::size_t, std::string>, std::string> shown_as;
    for (const Texts& texts : waiting_)
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (columns_ == 0 || head_.columns[i].kind != Column::Kind::kText) continue;
        std::pair key{i, short_name(texts[i], std::max(fit_.widths[i], kLeastText))};
        const auto [found, is_new] = shown_as.try_emplace(key, texts[i]);
        if (!is_new && found->second != texts[i]) ambiguous_.insert(std::move(key));
      }
  }

  static constexpr std::size_t kLeastText = 3;  ///< of in_columns()

  std::ostream& out_;
  std::size_t columns_;  ///< of the terminal; 0: any number
  TableHead head_;
  ColumnFit fit_;  // widths in columns of a terminal
  std::vector<Texts> waiting_;
  std::set<std::pair<std::size_t, std::string>> ambiguous_;  ///< columns, and short names in them
  std::string lines_;                                        ///< not written yet
  std::vector<std::optional<NumberedLines>> numbered_;  ///< of prepared rows, created on demand
  bool measured_ = false;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<TableWriter> text_table_writer(std::ostream& out, std::size_t columns) {
  return std::make_unique<TextTableWriter>(out, columns);
}

}  // namespace physmem
