// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace physmem::conformance {

/// Page flags that two looks at a stopped process cannot be expected to agree on. On Linux 6.12
/// kpageflags says of every anonymous page that it is merged (KSM). Where the kernel's data access
/// monitor runs, it sets the idle flag of any page at any time (mm/damon/paddr.c).
std::uint64_t misleading_flags();

}  // namespace physmem::conformance
