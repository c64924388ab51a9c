// SPDX-License-Identifier: MIT
// The lines that pftrace-log prints, one per event and per loss.
#pragma once

#include <string>

#include "paging/parse/paging_sink.h"

namespace physmem::log {

/// `hour:minute:second.ms` of local time.
std::string local_time(std::uint64_t time_ns, std::int64_t wall_offset_ns);

/// `IN 14:26:40.101 371 7F10C2A00000 0001B000 00000080 work`: kind, local time, process, virtual
/// address, page number, sector, name. Unknown fields are `-`; unprintable bytes of a name are
/// \ooo.
std::string event_line(const PagingEvent& event, std::int64_t wall_offset_ns);

/// `LOST 14:26:42.000 17`: the time at which the loss was detected, and the number of events.
std::string lost_line(const LostEvents& lost, std::int64_t wall_offset_ns);

}  // namespace physmem::log
