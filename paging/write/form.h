// SPDX-License-Identifier: MIT
// The forms that events are written in.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/report/csv_field.h"
#include "paging/write/trace_writer.h"

namespace physmem::record {

enum class Form { kText, kBinary, kPftrace, kCsv, kJson, kPerfetto, kOpenMetrics, kSummary };

/// Nothing: this program does not write it.
std::optional<Form> form_of(std::string_view name);
/// "text, binary, …": what form_of() knows.
std::string form_names();

/// Whether it is a trace, which can be read again; the others are reports.
bool is_trace(Form form);
/// Whether the form is bytes that no terminal can show.
bool is_binary(Form form);
/// Whether the form can be read, or at least looked at, while it grows. The others are written at
/// the end.
bool can_grow(Form form);

/// `all_lines`: of the paper's form.
std::unique_ptr<TraceWriter> make_writer(Form form, bool all_lines, std::ostream& out,
                                         const CsvStyle& csv = {});

}  // namespace physmem::record
