// SPDX-License-Identifier: MIT
// Events for other programs; the columns are in formats/report-columns.md.
#pragma once

#include <iosfwd>
#include <memory>

#include "analyzer/report/csv_field.h"
#include "paging/write/trace_writer.h"

namespace physmem::record {

/// A row an event.
std::unique_ptr<TraceWriter> csv_events_writer(std::ostream& out, const CsvStyle& style);
/// An object a line: JSON lines.
std::unique_ptr<TraceWriter> json_events_writer(std::ostream& out);
/// For ui.perfetto.dev.
std::unique_ptr<TraceWriter> perfetto_events_writer(std::ostream& out);

/// These two write at the end: totals, at most kTopProcesses by name.
std::unique_ptr<TraceWriter> openmetrics_writer(std::ostream& out);
std::unique_ptr<TraceWriter> summary_writer(std::ostream& out);

}  // namespace physmem::record
