// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "formats/output/output.h"

namespace physmem {

/// Compresses the output. Returns an error if the program was built without zstd.
Result<std::unique_ptr<Output>> compress_into(std::unique_ptr<Output> inner);

}  // namespace physmem
