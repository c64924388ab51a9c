// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace physmem::conformance {

/// Page flags that may differ between two readings of a stopped process. On Linux 6.12 kpageflags
/// reports every anonymous page as merged (KSM). The kernel's data access monitor, if it runs, sets
/// the idle flag of any page at any time (mm/damon/paddr.c).
std::uint64_t misleading_flags();

/// kB of a huge page that smaps leaves out of Pss if one huge entry is its only mapping, or 0. On
/// 32-bit kernels smaps_account() shifts its size out of an unsigned long (fs/proc/task_mmu.c:
/// `size << PSS_SHIFT`).
std::int64_t huge_page_without_pss();

}  // namespace physmem::conformance
