// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "collector-proc/kernel/kernel_source.h"
#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// /proc/kcore with /proc/kallsyms. The error says what this kernel or these rights lack.
Result<std::unique_ptr<KernelSource>> open_kcore_kernel(const ProcTree& tree);

}  // namespace physmem::collect
