// SPDX-License-Identifier: MIT
// The output formats that this program can write.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/report/csv_field.h"
#include "paging/write/form.h"
#include "paging/write/trace_writer.h"

namespace physmem {

/// Empty if this program cannot write this form.
std::optional<Form> form_of(std::string_view name);
/// The names that form_of() accepts: "text, binary, …".
std::string form_names();

/// `all_lines` applies to the paper's form only.
std::unique_ptr<TraceWriter> make_writer(Form form, bool all_lines, std::ostream& out,
                                         const CsvStyle& csv = {});

}  // namespace physmem
