// SPDX-License-Identifier: MIT
// The one place where what the kernel side sends becomes what the rest of the program works with,
// and back.
#pragma once

#include "paging/model/paging_event.h"

namespace physmem {

/// Of a record whose kind is PM_PAGING_IN or PM_PAGING_OUT. A name without its 0 is cut after 15
/// bytes.
PagingEvent event_of(const pm_paging_record& record);
/// Of a PM_PAGING_LOST record.
LostEvents lost_of(const pm_paging_record& record);

/// A name of more than 15 bytes, or with a 0 in it, is cut: the kernel has no such name.
pm_paging_record record_of(const PagingEvent& event);
pm_paging_record record_of(const LostEvents& lost);

}  // namespace physmem
