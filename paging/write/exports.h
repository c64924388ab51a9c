// SPDX-License-Identifier: MIT
// Export formats for other programs. They require the analyzer's libraries; a program for a guest
// is built without them (no_exports.cc).
#pragma once

#include <iosfwd>
#include <memory>

#include "analyzer/report/csv_field.h"
#include "paging/write/form.h"
#include "paging/write/trace_writer.h"

namespace physmem {

bool has_exports();

/// `form` must not be one of the three trace forms.
std::unique_ptr<TraceWriter> make_export(Form form, std::ostream& out, const CsvStyle& csv);

}  // namespace physmem
