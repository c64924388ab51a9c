// SPDX-License-Identifier: MIT
// Paging events as table rows, and their totals as a table.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/shape/shapes.h"
#include "paging/fold/paging_totals.h"
#include "paging/model/paging_event.h"

namespace physmem {

TableHead paging_events_head();
/// `wall_offset_ns` is the field of the trace header.
std::vector<Cell> paging_event_row(const PagingEvent& event, std::int64_t wall_offset_ns);

/// One row per process, the busiest first, and a row of totals.
Table paging_summary(const PagingTotals& totals);

}  // namespace physmem
