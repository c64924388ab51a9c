// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace physmem::conformance {

/// Page flags that the kpageflags of this kernel gets wrong, so that they cannot be compared with it: on
/// Linux 6.12 every anonymous page is said to be merged (KSM).
std::uint64_t misleading_flags();

}  // namespace physmem::conformance
