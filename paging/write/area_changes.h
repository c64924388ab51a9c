// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/emit/trace.h"
#include "paging/model/paging_event.h"

namespace physmem {

/// The area records to write when the header changes: removed areas first, then new and changed
/// ones. The names point into the two lists.
std::vector<pm_trace_area> area_changes(const std::vector<SwapArea>& before,
                                        const std::vector<SwapArea>& now);

/// For the first header: all areas.
inline std::vector<pm_trace_area> areas_of(const std::vector<SwapArea>& now) {
  return area_changes({}, now);
}

/// The header as formats/emit expects it. Its strings point into `header`.
pm_trace_header emitted_header(const TraceHeader& header, const char* form);

}  // namespace physmem
