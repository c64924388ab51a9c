// SPDX-License-Identifier: MIT
// The forms for other programs, which need the analyzer's libraries. A guest's program is built
// without them (no_exports.cc).
#pragma once

#include <iosfwd>
#include <memory>

#include "paging/write/form.h"

namespace physmem::record {

bool has_exports();

/// Of a form that is not one of the three of traces themselves.
std::unique_ptr<TraceWriter> make_export(Form form, std::ostream& out, const CsvStyle& csv);

}  // namespace physmem::record
