// SPDX-License-Identifier: MIT
#include "paging/write/exports.h"

#include <unistd.h>

#include "paging/write/export_writers.h"
#include "program/terminal.h"

namespace physmem {

bool has_exports() {
  return true;
}

std::unique_ptr<TraceWriter> make_export(Form form, std::ostream& out, const CsvStyle& csv) {
  switch (form) {
    case Form::kCsv:
      return csv_events_writer(out, csv);
    case Form::kJson:
      return json_events_writer(out);
    case Form::kPerfetto:
      return perfetto_events_writer(out);
    case Form::kOpenMetrics:
      return openmetrics_writer(out);
    case Form::kPrometheus:
      return prometheus_writer(out);
    default:
      return summary_writer(out, csv.for_terminal ? terminal_columns(STDOUT_FILENO) : 0);
  }
}

}  // namespace physmem
