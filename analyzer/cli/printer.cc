// SPDX-License-Identifier: MIT
#include "analyzer/cli/printer.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "analyzer/report/json_text.h"
#include "analyzer/report/sized_table.h"
#include "program/printable.h"
#include "program/terminal.h"

namespace physmem {
namespace {

PictureFormat picture(Format format) {
  switch (format) {
    case Format::kPdf:
      return PictureFormat::kPdf;
    case Format::kSvg:
      return PictureFormat::kSvg;
    case Format::kPng:
      return PictureFormat::kPng;
    default:
      return PictureFormat::kPs;
  }
}

bool is_text(const Options& options) {
  return options.format.value_or(Format::kText) == Format::kText;
}

/// Adds a first column with the snapshot's name to rows of several snapshots in one CSV.
class LabelledTableWriter : public TableWriter {
 public:
  LabelledTableWriter(std::unique_ptr<TableWriter> inner, std::string label)
      : inner_(std::move(inner)), label_(std::move(label)) {}

  void begin(const TableHead& head) override {
    TableHead labelled = head;
    labelled.is_figure_2 = false;
    labelled.columns.insert(labelled.columns.begin(),
                            {"Snapshot", Column::Kind::kText, "snapshot"});
    inner_->begin(labelled);
  }
  void row(const std::vector<Cell>& cells) override {
    std::vector<Cell> labelled{label_};
    labelled.insert(labelled.end(), cells.begin(), cells.end());
    inner_->row(labelled);
  }
  void end() override { inner_->end(); }

 private:
  std::unique_ptr<TableWriter> inner_;
  std::string label_;
};

/// A table for people is text on a terminal, and otherwise one CSV, also of many snapshots.
std::optional<Format> format_of(const Options& options, bool is_terminal) {
  const bool is_one_table =
      options.questions.size() == 1 && question_text(*options.questions.begin()).has("columns");
  if (options.format || !is_one_table) return options.format;
  return is_terminal ? Format::kText : Format::kCsv;
}

}  // namespace

Printer::Printer(OutputFile& output, const Options& options)
    : out_(output.stream()),
      csv_(output, {options.output, options.inputs, options.track_file, options.for_spreadsheet}),
      format_(format_of(options, output.is_terminal())),
      is_terminal_(output.is_terminal()),
      columns_(is_terminal_ && is_text(options) ? terminal_columns(STDOUT_FILENO) : 0),
      many_(options.inputs.size() > 1),
      options_(options),
      map_(out_, columns_) {
  if (is_terminal_ && !has_utf8()) use_ascii();
  if (format_ == Format::kJson && !options_.is_json_lines) out_ << "[\n";
}

void Printer::begin_json(const std::string& subject, const View& view) {
  end_json();
  const bool is_line = options_.is_json_lines;
  fmt::print(out_, "{}{{{}, \"origin\": {}, \"page_size\": {}, \"reports\": [{}",
             is_first_snapshot_ || is_line ? "" : ",\n", subject, json_text(origin(view.header)),
             view.header.page_size.bytes, is_line ? "" : "\n");
  is_first_answer_ = true;
  is_first_snapshot_ = false;
  is_json_open_ = true;
}

/// Later than end_snapshot(), because questions about a series may add answers to a single
/// snapshot.
void Printer::end_json() {
  if (is_json_open_)
    out_ << "], \"missing\": " << json_text(missing_) << (options_.is_json_lines ? "}\n" : "}");
  is_json_open_ = false;
  missing_.clear();
}

void Printer::begin_snapshot(const View& view) {
  source_ = view.source;
  page_size_ = view.header.page_size;
  map_.set_page_size(page_size_.bytes);
  if (many_ || !is_first_snapshot_) heading_ = fmt::format("==> {} <==\n", view.source);
  if (format_ == Format::kJson) begin_json("\"snapshot\": " + json_text(view.source), view);
  is_first_snapshot_ = false;
}

void Printer::begin_series(const std::vector<std::string>& sources, std::size_t snapshots,
                           const View& last) {
  if (snapshots == 1) {
    if (is_first_snapshot_) begin_snapshot(last);
    return;
  }
  source_.clear();
  page_size_ = last.header.page_size;
  map_.set_page_size(page_size_.bytes);
  if (many_ && !is_first_answer_) heading_ = "==> series <==\n";
  if (format_ != Format::kJson) return;
  begin_json(fmt::format("\"series\": {}, \"snapshots\": {}", json_text(sources), snapshots), last);
}

/// Writes what separates two answers.
void Printer::separate(Block block) {
  if (current_ == Format::kJson) {
    if (!is_first_answer_) out_ << ",";
  } else if (!heading_.empty() && block == Block::kOwn &&
             format_.value_or(Format::kText) == Format::kText) {
    out_ << (is_first_answer_ ? "" : "\n") << heading_;
    heading_.clear();
  } else if (!is_first_answer_ && !is_picture(current_) && format_ != Format::kCsv &&
             (block == Block::kOwn || last_block_ == Block::kOwn)) {
    out_ << '\n';
  }
  last_block_ = block;
  is_first_answer_ = false;
}

Format Printer::begin_answer(Format natural, Block block) {
  current_ = format_.value_or(natural);
  separate(block);
  writer_ = writer(current_);
  return current_;
}

void Printer::end_snapshot(const std::vector<std::string>& missing) {
  if (format_ == Format::kJson) missing_.insert(missing_.end(), missing.begin(), missing.end());
}

Status Printer::finish() {
  if (format_ == Format::kJson) {
    end_json();
    if (!options_.is_json_lines) out_ << "\n]\n";
  }
  if (Status status = csv_.commit(); !status) return status;
  if (!format_ || !is_picture(*format_)) return {};
  const std::string problem = paint(out_, picture(*format_), pictures_);
  return problem.empty() ? Status() : Error{Error::Kind::kIo, problem};
}

std::unique_ptr<TableWriter> Printer::writer(Format format) {
  return sized_table_writer(plain_writer(format), {size_unit(options_, format), page_size_},
                            is_data(format) ? UnitPlace::kColumns : UnitPlace::kTitle);
}

std::unique_ptr<TableWriter> Printer::plain_writer(Format format) {
  if (format == Format::kJson)
    return options_.is_json_lines ? json_line_writer(out_) : json_table_writer(out_);
  if (format != Format::kCsv) return text_table_writer(out_, columns_);
  auto csv = format_ ? csv_.writer() : csv_table_writer(out_, csv_.style());
  if (!many_ || source_.empty()) return csv;
  return std::make_unique<LabelledTableWriter>(std::move(csv), source_);
}

TableWriter& Printer::table() {
  return *writer_;
}

void Printer::write_next(const Table& table) {
  next_table().write(table);
}

TableWriter& Printer::next_table() {
  if (current_ == Format::kJson) out_ << ",";
  return *writer_;
}

bool Printer::can_have(const std::string& table) {
  if (current_ != Format::kCsv || csv_.can_have_more()) return true;
  csv_.leave_out(table);
  return false;
}

void Printer::lines(const std::vector<std::string>& lines) {
  for (const std::string& text : lines)
    for (const std::string& line : wrapped(for_terminal(text), columns_))
      out_ << (columns_ == 0 ? line : with_isolates(line)) << '\n';
}

void Printer::data_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) out_ << for_terminal(line) << '\n';
}

void Printer::map_heading(const std::string& heading, int depth) {
  end_map();
  lines({std::string(static_cast<std::size_t>(depth) * 2, ' ') + heading});
}

void Printer::map_line(const PageMap::Line& line) {
  map_.line(line);
}

void Printer::end_map() {
  map_.end();
}

}  // namespace physmem
