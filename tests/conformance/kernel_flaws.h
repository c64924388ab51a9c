// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace physmem::conformance {

/// Page flags that may differ between two readings of a stopped process. On Linux 6.12 kpageflags
/// reports every anonymous page as merged (KSM). The kernel's data access monitor, if it runs, sets
/// the idle flag of any page at any time (mm/damon/paddr.c).
std::uint64_t misleading_flags();

}  // namespace physmem::conformance
