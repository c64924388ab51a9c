// SPDX-License-Identifier: MIT
#include "analyzer/cli/printer.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "analyzer/report/painter.h"

namespace physmem {
namespace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

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

/// Rows of several snapshots in one CSV: a first column says which.
class LabelledTableWriter : public TableWriter {
 public:
  LabelledTableWriter(std::unique_ptr<TableWriter> inner, std::string label)
      : inner_(std::move(inner)), label_(std::move(label)) {}

  void begin(const TableHead& head) override {
    TableHead labelled = head;
    labelled.columns.insert(labelled.columns.begin(), {"Snapshot", Column::Kind::kText, "snapshot"});
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

}  // namespace

Printer::Printer(std::ostream& out, std::optional<Format> format, bool many)
    : out_(out), format_(format), many_(many) {
  if (format_ == Format::kJson) out_ << "[\n";
}

void Printer::begin_snapshot(const View& view) {
  source_ = view.source;
  if (format_ == Format::kJson) {
    fmt::print(out_, "{}{{\"snapshot\": {}, \"origin\": {}, \"page_size\": {}, \"reports\": [\n",
               is_first_snapshot_ ? "" : ",\n", json_text(view.source), json_text(origin(view.header)),
               view.header.page_size.bytes);
    is_first_answer_ = true;
  } else if (many_ && (!format_ || format_ == Format::kText)) {
    fmt::print(out_, "{}==> {} <==\n", is_first_snapshot_ ? "" : "\n", view.source);
    is_first_answer_ = true;
  }
  is_first_snapshot_ = false;
}

Format Printer::begin_answer(Format natural) {
  current_ = format_.value_or(natural);
  if (!is_first_answer_ && !is_picture(current_)) out_ << (current_ == Format::kJson ? "," : "\n");
  is_first_answer_ = false;
  writer_ = writer(current_);
  return current_;
}

void Printer::end_snapshot(const std::vector<std::string>& missing) {
  if (format_ != Format::kJson) return;
  out_ << "], \"missing\": [";
  for (std::size_t i = 0; i < missing.size(); ++i) out_ << (i == 0 ? "" : ", ") << json_text(missing[i]);
  out_ << "]}";
}

std::string Printer::finish() {
  if (format_ == Format::kJson) out_ << "\n]\n";
  if (format_ && is_picture(*format_)) return paint(out_, picture(*format_), charts_, maps_, series_);
  return {};
}

std::unique_ptr<TableWriter> Printer::writer(Format format) {
  if (format == Format::kCsv && many_)
    return std::make_unique<LabelledTableWriter>(csv_table_writer(out_), source_);
  if (format == Format::kCsv) return csv_table_writer(out_);
  if (format == Format::kJson) return json_table_writer(out_);
  return text_table_writer(out_);
}

TableWriter& Printer::table() {
  return *writer_;
}

void Printer::lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) out_ << line << '\n';
}

void Printer::map_heading(const std::string& heading, int depth) {
  fmt::print(out_, "{:{}}{}\n", "", depth * 2, heading);
}

void Printer::map_line(const PageMap::Line& line) {
  if (line.skipped != 0)
    fmt::print(out_, "    {:08X}  … {} pages without a physical page …\n", line.address, line.skipped);
  else
    fmt::print(out_, "    {:08X} |{}|\n", line.address, line.cells);
}

}  // namespace physmem
