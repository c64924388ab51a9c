// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Bits of effective_capabilities(), as in linux/capability.h.
inline constexpr std::uint64_t kCapSysPtrace = std::uint64_t{1} << 19,
                               kCapSysAdmin = std::uint64_t{1} << 21,
                               kCapPerfmon = std::uint64_t{1} << 38,
                               kCapBpf = std::uint64_t{1} << 39;

/// CapEff of this program, by the tree's self/status; 0 if the tree does not have it.
std::uint64_t effective_capabilities(const ProcTree& tree);

}  // namespace physmem::collect
