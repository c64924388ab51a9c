// SPDX-License-Identifier: MIT
// What a trace says of the machine it is made on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "paging/model/paging_event.h"

namespace physmem {

/// Without source and swap areas. `root` stands before /proc: a fixture's folder, or nothing. What
/// cannot be read stays 0.
TraceHeader machine_facts(const std::string& root = "");

/// What to add to the monotonic clock to have the time of day, ns; both functions return ns. The
/// clocks cannot be read at once: the time of day is taken to be that of the middle between two
/// readings of the monotonic clock, and of a few such pairs the closest one counts.
std::int64_t wall_offset_ns(const std::function<std::int64_t()>& monotonic,
                            const std::function<std::int64_t()>& time_of_day);

}  // namespace physmem
