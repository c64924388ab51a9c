// SPDX-License-Identifier: MIT
// One row or object per event.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "analyzer/report/table_writer.h"
#include "paging/shape/paging_shape.h"
#include "paging/write/export_writers.h"
#include "program/printable.h"

namespace physmem {
namespace {

class CsvEvents : public TraceWriter {
 public:
  CsvEvents(std::ostream& out, const CsvStyle& style) : table_(csv_table_writer(out, style)) {
    table_->begin(paging_events_head());
  }

  void on_header(const TraceHeader& header) override { wall_offset_ns_ = header.wall_offset_ns; }
  void on_event(const PagingEvent& event) override {
    table_->row(paging_event_row(event, wall_offset_ns_));
  }
  // the totals on standard error include losses
  void on_lost(const LostEvents& /*lost*/) override {}
  void end() override { table_->end(); }
  void flush() override {}

 private:
  std::unique_ptr<TableWriter> table_;
  std::int64_t wall_offset_ns_ = 0;
};

/// "time s" -> "time_s".
std::string key_of(std::string title) {
  for (char& c : title)
    if (c == ' ') c = '_';
  return title;
}

class JsonEvents : public TraceWriter {
 public:
  explicit JsonEvents(std::ostream& out) : out_(out) {
    for (const Column& column : paging_events_head().columns)
      columns_.push_back({key_of(column.title), column.kind});
  }

  void on_header(const TraceHeader& header) override { wall_offset_ns_ = header.wall_offset_ns; }
  void on_event(const PagingEvent& event) override {
    const std::vector<Cell> row = paging_event_row(event, wall_offset_ns_);
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) add(object, columns_[i], row[i]);
    write(object);
  }
  void on_lost(const LostEvents& lost) override {
    nlohmann::ordered_json object{
        {"kind", "lost"}, {"time_ns", lost.time_ns}, {"count", lost.count}};
    if (lost.cpu) object["cpu"] = *lost.cpu;
    write(object);
  }
  void end() override {}
  void flush() override {}

 private:
  struct Key {
    std::string name;
    Column::Kind kind;
  };

  void write(const nlohmann::ordered_json& object) { out_ << object.dump() << '\n'; }

  /// Unknown fields are left out.
  static void add(nlohmann::ordered_json& object, const Key& key, const Cell& cell) {
    const auto* number = std::get_if<std::uint64_t>(&cell);
    if (const auto* text = std::get_if<std::string>(&cell)) object[key.name] = for_export(*text);
    if (number != nullptr && key.kind == Column::Kind::kHex)
      object[key.name] = fmt::format("{:08X}", *number);
    if (number != nullptr && key.kind != Column::Kind::kHex) object[key.name] = *number;
  }

  std::ostream& out_;
  std::vector<Key> columns_;
  std::int64_t wall_offset_ns_ = 0;
};

}  // namespace

std::unique_ptr<TraceWriter> csv_events_writer(std::ostream& out, const CsvStyle& style) {
  return std::make_unique<CsvEvents>(out, style);
}

std::unique_ptr<TraceWriter> json_events_writer(std::ostream& out) {
  return std::make_unique<JsonEvents>(out);
}

}  // namespace physmem
