// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// Pages of each slab cache, as slab.NAME, from /proc/slabinfo. Caches without pages are left out.
std::vector<Counter> parse_slabinfo(std::string_view text);

/// Pages of vmalloc by caller, as vmalloc.CALLER, from /proc/vmallocinfo. Stacks of tasks are the
/// sum vmalloc.kernel_stack: the function that allocates them has other names in other kernels.
std::vector<Counter> parse_vmallocinfo(std::string_view text);

/// Reads both. A file that cannot be read contributes nothing.
std::vector<Counter> read_kernel_lists(const ProcTree& tree);

}  // namespace physmem::collect
