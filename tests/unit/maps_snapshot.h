// SPDX-License-Identifier: MIT
// Version 2 snapshots from a shorthand that looks like /proc/PID/maps, written by the real emitter.
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// One line a process, thread or area:
///
///   process cat 371                                        a task with an address space of its own
///   thread cat 372                                         another task of it
///   kernel kswapd0 52                                      a task without one
///   400000-403000 r-xp 0 10 /bin/cat : f2 a1@7F .          from-end, permissions, file offset,
///                                                          inode, unit (- for none), pages
///
/// After the permissions, S: grows down, X: the program itself. Pages stand in order from the
/// area's start: f, a: of the file, anonymous; then the use count and, after @, the frame (hex;
/// without: one that no other page has). z: zero page, h: hugetlb, n: no struct page (with count
/// and frame likewise), s: swapped out,
/// '.': not there.
std::string maps_snapshot(std::string_view maps);

}  // namespace physmem
