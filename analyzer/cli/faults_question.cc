// SPDX-License-Identifier: MIT
#include "analyzer/cli/faults_question.h"

#include <fmt/format.h>

#include "analyzer/shape/faults_shape.h"

namespace physmem {

FaultsQuestion::FaultsQuestion(const QuestionContext& context)
    : is_full_(context.options.is_full),
      series_(context.options.service_time_ms
                  ? ThrashLimits::of_service_time(*context.options.service_time_ms)
                  : ThrashLimits{}) {}

void FaultsQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(faults_picture(series_, view));
  if (format == Format::kText) {
    printer.lines(faults_text(series_));
    printer.lines({""});
  }
  // One table is what a spreadsheet can read; JSON has room for all.
  const bool has_more = is_full_ || format == Format::kJson;
  printer.table().write(faults_table(series_));
  if (has_more) printer.write_next(fault_windows_table(series_));
  if (has_more && format != Format::kText) printer.write_next(fault_events_table(series_));
}

std::vector<std::string> FaultsQuestion::missing() const {
  std::vector<std::string> sentences;
  if (series_.not_later() != 0)
    sentences.push_back(
        fmt::format("{} not later than the one before (another boot, or the wrong order): nothing "
                    "was compared across",
                    counted(series_.not_later(), "snapshot")));
  return sentences;
}

}  // namespace physmem
