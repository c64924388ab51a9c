// SPDX-License-Identifier: MIT
// The facts about this machine in a trace header.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "paging/model/paging_event.h"

namespace physmem {

/// The header without source and swap areas. `root` is a prefix for /proc, for tests. Unreadable
/// values stay 0.
TraceHeader machine_facts(const std::string& root = "");

/// The offset from the monotonic clock to the time of day in ns; both functions return ns. The two
/// clocks cannot be read at the same time. The time of day is therefore read between two readings
/// of the monotonic clock and compared with their mean. The closest of a few such pairs is used.
std::int64_t wall_offset_ns(const std::function<std::int64_t()>& monotonic,
                            const std::function<std::int64_t()>& time_of_day);

}  // namespace physmem
