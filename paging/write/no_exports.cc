// SPDX-License-Identifier: MIT
// Built without the analyzer: physmem-trace records and writes traces only.
#include "paging/write/exports.h"

namespace physmem {

bool has_exports() {
  return false;
}

std::unique_ptr<TraceWriter> make_export(Form /*form*/, std::ostream& /*out*/,
                                         const CsvStyle& /*csv*/) {
  return nullptr;
}

}  // namespace physmem
