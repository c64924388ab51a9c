// SPDX-License-Identifier: MIT
// Paging events as rows, and their sums as a table.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/shape/shapes.h"
#include "paging/fold/paging_totals.h"
#include "paging/model/paging_event.h"

namespace physmem {

TableHead paging_events_head();
/// `wall_offset_ns`: of the trace's header.
std::vector<Cell> paging_event_row(const PagingEvent& event, std::int64_t wall_offset_ns);

/// A row a process, the busiest first, and one of the sums.
Table paging_summary(const PagingTotals& totals);

}  // namespace physmem
