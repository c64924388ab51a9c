// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// The numbers of a list of the kernel, such as "0-3,8". What is not a list is left out.
std::vector<std::uint64_t> parse_id_list(std::string_view text);

/// Properties of the NUMA nodes of a /sys tree: node.N.cpus, the number of its CPUs (0: only
/// memory, such as CXL), and node.N.tier, its memory tier. A lower tier is faster. Kernels before
/// 6.1 have no tiers.
std::vector<Counter> read_memory_nodes(int sys);

}  // namespace physmem::collect
