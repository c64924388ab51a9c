// SPDX-License-Identifier: MIT
#include "analyzer/cli/faults_question.h"

#include <fmt/format.h>

#include "analyzer/shape/faults_shape.h"

namespace physmem {

FaultsQuestion::FaultsQuestion(const QuestionContext& context)
    : is_full_(context.options.is_full),
      fold_(context.options.service_time_ms ? ThrashLimits::of_service_time(*context.options.service_time_ms)
                                            : ThrashLimits{}) {}

void FaultsQuestion::Fold::on_header(const Header& header) {
  FaultSeries::on_header(header);
  units.on_header(header);
}

void FaultsQuestion::Fold::on_end() {
  const std::size_t breaks = not_later();
  FaultSeries::on_end();
  units.on_end();
  if (not_later() != breaks) units = {};
}

void FaultsQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(faults_picture(fold_, view));
  if (format == Format::kText) {
    printer.lines(faults_text(fold_));
    printer.lines({""});
  }
  // One table is what a spreadsheet can read; JSON has room for all.
  const bool has_more = is_full_ || format == Format::kJson;
  printer.table().write(faults_table(fold_));
  if (has_more) printer.write_next(fault_windows_table(fold_));
  if (has_more && format != Format::kText) printer.write_next(fault_events_table(fold_));
  const std::vector<UnitReuseRow> units = fold_.units.rows();
  if (has_more || (format == Format::kText && !units.empty())) printer.write_next(fault_units_table(units));
}

std::vector<std::string> FaultsQuestion::missing() const {
  std::vector<std::string> sentences;
  if (fold_.not_later() != 0)
    sentences.push_back(fmt::format(
        "{} that cannot follow the one before (another machine or boot, or the wrong order): nothing "
        "was compared across",
        counted(fold_.not_later(), "snapshot")));
  return sentences;
}

}  // namespace physmem
