// SPDX-License-Identifier: MIT
// Event exports for other programs. formats/report-columns.md describes the columns.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>

#include "analyzer/report/csv_field.h"
#include "paging/write/trace_writer.h"

namespace physmem {

/// One row per event.
std::unique_ptr<TraceWriter> csv_events_writer(std::ostream& out, const CsvStyle& style);
/// JSON lines: one object per line.
std::unique_ptr<TraceWriter> json_events_writer(std::ostream& out);
/// A trace for ui.perfetto.dev.
std::unique_ptr<TraceWriter> perfetto_events_writer(std::ostream& out);

/// These write totals, at the end, for at most kTopProcesses commands.
std::unique_ptr<TraceWriter> openmetrics_writer(std::ostream& out);
std::unique_ptr<TraceWriter> prometheus_writer(std::ostream& out);
/// `columns`: as in text_table_writer().
std::unique_ptr<TraceWriter> summary_writer(std::ostream& out, std::size_t columns);

}  // namespace physmem
