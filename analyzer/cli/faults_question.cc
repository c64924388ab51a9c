// SPDX-License-Identifier: MIT
#include "analyzer/cli/faults_question.h"

#include "analyzer/shape/faults_shape.h"
#include "analyzer/shape/series_notes.h"

namespace physmem {
namespace {

/// Processes on a terminal, without --full.
constexpr std::size_t kFewProcesses = 15;

}  // namespace

FaultsQuestion::FaultsQuestion(const QuestionContext& context)
    : is_full_(context.options.is_full),
      fold_(context.options.service_time_ms
                ? ThrashLimits::of_service_time(*context.options.service_time_ms)
                : ThrashLimits{}) {}

void FaultsQuestion::Fold::on_header(const Header& header) {
  const std::size_t breaks = order().breaks();
  FaultSeries::on_header(header);
  if (order().is_left_out()) return;
  if (order().breaks() != breaks) units = {};
  units.on_header(header);
}

void FaultsQuestion::Fold::on_area(const Process& process, const Area& area) {
  if (!order().is_left_out()) units.on_area(process, area);
}

void FaultsQuestion::Fold::on_pages(const Process& process, const Area& area,
                                    std::span<const PageRun> runs) {
  if (!order().is_left_out()) units.on_pages(process, area, runs);
}

void FaultsQuestion::Fold::on_end() {
  FaultSeries::on_end();
  if (!order().is_left_out()) units.on_end();
}

void FaultsQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(faults_picture(fold_, view));
  // On a terminal, the verdict comes last, or the tables would move it away.
  const bool is_on_terminal = format == Format::kText && printer.columns() != 0;
  std::vector<std::string> lines = faults_text(fold_);
  if (is_on_terminal) lines.erase(lines.begin());
  if (!lines.empty()) lines.emplace_back();
  if (format == Format::kText) printer.lines(lines);
  // A spreadsheet can read one table; JSON contains all.
  const bool has_more = is_full_ || format == Format::kJson;
  printer.table().write(is_on_terminal && !is_full_ ? faults_table(fold_, kFewProcesses)
                                                    : faults_table(fold_));
  if (has_more) printer.write_next(fault_windows_table(fold_));
  if (has_more && format != Format::kText) printer.write_next(fault_events_table(fold_));
  const std::vector<UnitReuseRow> units = fold_.units.rows();
  if (has_more || (format == Format::kText && !units.empty()))
    printer.write_next(fault_units_table(units));
  if (is_on_terminal) printer.lines({"", faults_summary(fold_)});
}

std::vector<std::string> FaultsQuestion::missing() const {
  return series_notes(fold_.order());
}

}  // namespace physmem
