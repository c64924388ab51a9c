// SPDX-License-Identifier: MIT
#include "fleet/print_answer.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <utility>

#include "analyzer/report/csv_files.h"
#include "analyzer/report/json_text.h"
#include "analyzer/report/painter.h"
#include "analyzer/report/sized_table.h"
#include "analyzer/report/table_writer.h"
#include "fleet/store/open_store.h"
#include "program/messages.h"
#include "program/output_file.h"
#include "program/printable.h"
#include "program/terminal.h"

namespace physmem::fleet {
namespace {

const SizeCells kMib(SizeUnit::kMib, kPageOfOneByte);

Table for_programs(const Table& table) {
  return in_unit(table, {SizeUnit::kBytes, kPageOfOneByte}, UnitPlace::kColumns);
}

PictureFormat picture_of(std::string_view name) {
  if (name.ends_with(".svg")) return PictureFormat::kSvg;
  if (name.ends_with(".png")) return PictureFormat::kPng;
  return name.ends_with(".pdf") ? PictureFormat::kPdf : PictureFormat::kPs;
}

void write_text(const std::vector<Table>& tables, OutputFile& output) {
  const std::size_t columns = output.is_terminal() ? terminal_columns(STDOUT_FILENO) : 0;
  if (output.is_terminal() && !has_utf8()) use_ascii();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (i != 0) output.stream() << '\n';
    text_table_writer(output.stream(), columns)->write(in_unit(tables[i], kMib, UnitPlace::kTitle));
  }
}

void write_json(const Answer& answer, const Options& options, std::ostream& out) {
  fmt::print(out, "[\n{{\"fleet\": {}, \"reports\": [\n",
             json_text(std::vector<std::string>{shown_store(options.store)}));
  for (std::size_t i = 0; i < answer.tables.size(); ++i) {
    if (i != 0) out << ",";
    json_table_writer(out)->write(for_programs(answer.tables[i]));
  }
  fmt::print(out, "], \"snapshots\": {}, \"missing\": {}}}\n]\n", answer.snapshots,
             json_text(answer.missing));
}

}  // namespace

Exit print_answer(Answer answer, const Options& options, std::ostream& messages) {
  const auto failed = [&](const std::string& problem) {
    return report_error(messages, kProgramName, {Error::Kind::kIo, problem});
  };
  OutputFile output(options.output, OutputKind::kSnapshot);  // a store is private
  if (const std::string problem = output.error(); !problem.empty()) return failed(problem);
  CsvFiles csv(output, {options.output, {}, "", options.for_spreadsheet});
  switch (options.form.value_or(Form::kText)) {
    case Form::kText:
      write_text(answer.tables, output);
      break;
    case Form::kJson:
      write_json(answer, options, output.stream());
      break;
    case Form::kCsv:
      for (std::size_t i = 0; i < answer.tables.size(); ++i) {
        if (i == 0 || csv.can_have_more())
          csv.writer(answer.tables[i].head.name)->write(for_programs(answer.tables[i]));
        else
          csv.leave_out(answer.tables[i].head.name);
      }
      break;
    case Form::kPicture: {
      const std::string problem =
          paint(output.stream(), picture_of(options.output),
                {.charts = std::move(answer.charts), .series = std::move(answer.series)});
      if (!problem.empty()) return failed(problem);
      break;
    }
  }
  if (Status status = csv.commit(); !status)
    return report_error(messages, kProgramName, status.error());
  const std::string problem = output.commit();
  if (output.closed_pipe()) return Exit::kIo;
  if (!problem.empty()) return failed(problem);
  for (const auto& notes : {csv.notes(), answer.notes, answer.missing})
    for (const std::string& note : notes) report(messages, kProgramName, note);
  return Exit::kDone;
}

}  // namespace physmem::fleet
