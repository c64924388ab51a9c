// SPDX-License-Identifier: MIT
#ifndef PHYSMEM_COLLECTOR_PROC_ZSTD_OUTPUT_H_
#define PHYSMEM_COLLECTOR_PROC_ZSTD_OUTPUT_H_

#include <memory>

#include "collector-proc/output.h"

namespace physmem::collect {

/// Compresses on the way. An error when this program was built without zstd.
Result<std::unique_ptr<Output>> compress_into(std::unique_ptr<Output> inner);

}  // namespace physmem::collect

#endif  // PHYSMEM_COLLECTOR_PROC_ZSTD_OUTPUT_H_
