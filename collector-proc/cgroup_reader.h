// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace physmem::collect {

/// Returns the cgroup that accounts memory, from the text of /proc/PID/cgroup: that in the unified
/// hierarchy, unless it is the root and the memory controller has its own hierarchy. Empty if there
/// is neither.
std::string_view memory_cgroup(std::string_view text);

}  // namespace physmem::collect
