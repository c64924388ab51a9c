// SPDX-License-Identifier: MIT
// Conversion between kernel records (pm_paging_record) and PagingEvent, the type used by all other
// code.
#pragma once

#include "paging/model/paging_event.h"

namespace physmem {

/// `record` must be of kind PM_PAGING_IN or PM_PAGING_OUT. A name without a terminating 0 is cut
/// after 15 bytes.
PagingEvent event_of(const pm_paging_record& record);
/// `record` must be of kind PM_PAGING_LOST.
LostEvents lost_of(const pm_paging_record& record);

/// A name longer than 15 bytes or with an embedded 0 is cut. The kernel has no such names.
pm_paging_record record_of(const PagingEvent& event);
pm_paging_record record_of(const LostEvents& lost);

}  // namespace physmem
