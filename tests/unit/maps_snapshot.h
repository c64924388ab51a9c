// SPDX-License-Identifier: MIT
// Version 2 snapshots from a shorthand similar to /proc/PID/maps, written by the real emitter.
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// One line per process, thread or VMA:
///
///   process cat 371                                        a task with its own address space
///   thread cat 372                                         another task of this process
///   kernel kswapd0 52                                      a task without address space
///   400000-403000 r-xp 0 10 /bin/cat : f2 a1@7F .          from-end, permissions, file offset,
///                                                          inode, unit (- for none), pages
///
/// The permissions may be followed by S (grows down) and X (the program itself). The pages are in
/// order from the start of the VMA. Each is a letter, the use count and, after @, the frame (hex).
/// The default frame is one that no other page has. The letters are f (file page), a (anonymous),
/// z (zero page), h (hugetlb) and n (no struct page). s means swapped out, and '.' means no page.
std::string maps_snapshot(std::string_view maps);

}  // namespace physmem
