// SPDX-License-Identifier: MIT
#pragma once

namespace physmem::collect {

/// Whether this is the small build (PHYSMEM_SMALL of CMakeLists.txt).
#ifdef PHYSMEM_SMALL
inline constexpr bool kIsSmall = true;
#define PHYSMEM_SMALL_BUILD_SECTION                                                 \
  "\nSMALL BUILD\n"                                                                 \
  "  This is the small build, for small targets. It rejects --metrics, --cached,\n" \
  "  --holders, --jobs above 1, --ram=kcore and names that end in .zst. --ram\n"    \
  "  reads frames by proc.\n"
#else
inline constexpr bool kIsSmall = false;
#define PHYSMEM_SMALL_BUILD_SECTION ""
#endif

}  // namespace physmem::collect
