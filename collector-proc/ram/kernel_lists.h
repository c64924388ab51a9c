// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// Whether the kernel counts the pages of this slab cache as reclaimable.
using IsReclaimable = std::function<bool(std::string_view cache)>;

/// Pages of each slab cache, as slab.NAME, from /proc/slabinfo, with its other counters. Caches
/// without pages are left out.
std::vector<Counter> parse_slabinfo(std::string_view text, const IsReclaimable& is_reclaimable);

/// Pages of vmalloc by caller, as vmalloc.CALLER, from /proc/vmallocinfo. Stacks of tasks are the
/// sum vmalloc.kernel_stack: the function that allocates them has other names in other kernels.
std::vector<Counter> parse_vmallocinfo(std::string_view text);

/// Reads both, and which caches are reclaimable from kernel/slab of the open /sys tree. A file that
/// cannot be read contributes nothing.
std::vector<Counter> read_kernel_lists(const ProcTree& tree, int sys);

}  // namespace physmem::collect
