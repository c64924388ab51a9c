// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace physmem::collect {

/// The control group that accounts memory, from the text of /proc/PID/cgroup: the one of the
/// unified hierarchy, unless that is only its root and the memory controller has its own hierarchy.
/// Empty when there is neither.
std::string_view memory_cgroup(std::string_view text);

}  // namespace physmem::collect
