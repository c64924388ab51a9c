// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/emit/trace.h"
#include "paging/model/paging_event.h"

namespace physmem {

/// What a trace has to say when a header comes again: areas that are new or different, and first
/// those that are gone. The names point into the two lists.
std::vector<pm_trace_area> area_changes(const std::vector<SwapArea>& before,
                                        const std::vector<SwapArea>& now);

/// The same of a first header: all of them.
inline std::vector<pm_trace_area> areas_of(const std::vector<SwapArea>& now) {
  return area_changes({}, now);
}

/// As formats/emit wants it. The texts are the header's own.
pm_trace_header emitted_header(const TraceHeader& header, const char* form);

}  // namespace physmem
