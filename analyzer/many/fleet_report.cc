// SPDX-License-Identifier: MIT
#include "analyzer/many/fleet_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <unistd.h>

#include <utility>

#include "analyzer/report/json_text.h"
#include "analyzer/report/sized_table.h"
#include "analyzer/shape/fleet_shape.h"
#include "program/terminal.h"

namespace physmem {

FleetReport::FleetReport(OutputFile& output, const Options& options,
                         const FleetQuestions& questions)
    : out_(output.stream()),
      columns_(output.is_terminal() ? terminal_columns(STDOUT_FILENO) : 0),
      csv_(output, {options.output, options.inputs, "", options.for_spreadsheet}),
      options_(options),
      questions_(questions) {}

/// `table`: the name of the question's table. Only with --csv does each table have its own file.
std::unique_ptr<TableWriter> FleetReport::writer(const std::string& question,
                                                 const std::string& table, std::ostream& out) {
  if (options_.format == Format::kCsv) return csv_.writer(table);
  const Format form = options_.format.value_or(question_text(question).natural);
  if (form == Format::kJson) return json_table_writer(out);
  return form == Format::kCsv ? csv_table_writer(out, csv_.style())
                              : text_table_writer(out, columns_);
}

void FleetReport::begin() {
  if (std::exchange(has_begun_, true)) return;
  if (options_.format == Format::kJson)
    fmt::print(out_, "[\n{{\"fleet\": {}, \"reports\": [\n", json_text(options_.inputs));
  begin_parts();
}

void FleetReport::begin_parts() {
  const View view{{}, "", options_.is_virtual, options_.is_full, names_pids(options_)};
  const std::vector<Table> heads =
      fleet_tables(options_, questions_, FleetFolds(options_.selection), "", view);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    Part& part = parts_.emplace_back();
    if (i != 0 && options_.format != Format::kCsv) part.spool = std::make_unique<Spool>();
    part.writer =
        writer(questions_.tables[i], heads[i].head.name, part.spool ? part.spool->stream() : out_);
    part.writer->begin(heads[i].head);
  }
  is_first_table_ = heads.empty();
}

void FleetReport::add(FleetAnswer&& answer) {
  begin();
  ++snapshots_;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    for (const auto& row : answer.tables[i].rows) parts_[i].writer->row(row);
  if (!parts_.empty()) out_.flush();  // so that a reader of the output sees rows early
  if (!questions_.digest) return;
  digest_.add(answer.view.header, answer.host, answer.units, answer.alerts);
  ram_.add(answer.view.header, answer.host, answer.ram);
}

/// Writes what separates two tables.
void FleetReport::separate() {
  if (!std::exchange(is_first_table_, false))
    out_ << (options_.format == Format::kJson ? "," : "\n");
}

void FleetReport::end(const std::vector<std::string>& missing) {
  begin();
  for (Part& part : parts_) {
    part.writer->end();
    if (!part.spool) continue;
    separate();
    part.spool->copy_to(out_);
  }
  if (questions_.digest) write_digest();
  if (options_.format == Format::kJson) end_json(missing);
}

/// Tables of the whole of RAM follow if a snapshot has it.
void FleetReport::write_digest() {
  write_digest(digest_table(digest_));
  if (ram_.snapshots() == 0) return;
  for (const Table& table : {fleet_classes_table(ram_), fleet_owners_table(ram_)}) {
    if (options_.format != Format::kCsv || csv_.can_have_more())
      write_digest(table);
    else
      csv_.leave_out(table.head.name);
  }
}

/// Pages of hosts may differ in size.
void FleetReport::write_digest(const Table& table) {
  if (options_.format != Format::kCsv) separate();
  const Format form = options_.format.value_or(question_text("summary").natural);
  const SizeUnit unit = size_unit(options_, form);
  const SizeCells sizes(unit == SizeUnit::kPages ? SizeUnit::kKib : unit, kPageOfOneByte);
  writer("summary", table.head.name, out_)
      ->write(in_unit(table, sizes, is_data(form) ? UnitPlace::kColumns : UnitPlace::kTitle));
}

void FleetReport::end_json(const std::vector<std::string>& missing) {
  fmt::print(out_, "], \"snapshots\": {}, \"missing\": {}}}\n]\n", snapshots_, json_text(missing));
}

std::string FleetReport::error() const {
  for (const Part& part : parts_)
    if (part.spool && !part.spool->error().empty()) return part.spool->error();
  return "";
}

}  // namespace physmem
