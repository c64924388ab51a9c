// SPDX-License-Identifier: MIT
// The output formats for events.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/report/csv_field.h"
#include "paging/write/trace_writer.h"

namespace physmem {

enum class Form { kText, kBinary, kPftrace, kCsv, kJson, kPerfetto, kOpenMetrics, kSummary };

/// Empty if this program cannot write this form.
std::optional<Form> form_of(std::string_view name);
/// The names that form_of() accepts: "text, binary, …".
std::string form_names();

/// Whether the form is a trace, which can be read again. All others are reports.
bool is_trace(Form form);
/// Whether the form is binary data, unsuitable for a terminal.
bool is_binary(Form form);
/// Whether the file can be read while it grows. The other forms are written at the end.
bool can_grow(Form form);

/// `all_lines` applies to the paper's form only.
std::unique_ptr<TraceWriter> make_writer(Form form, bool all_lines, std::ostream& out,
                                         const CsvStyle& csv = {});

}  // namespace physmem
