// SPDX-License-Identifier: MIT
// Reads and folds a snapshot, then serves it or writes it as one file.
#pragma once

#include <memory>

#include "analyzer/parse/byte_source.h"
#include "viewer/serve.h"

namespace physmem::view {

/// With --html nothing is served and `port` is not used.
Exit show_snapshot(const Serving& serving, OpenPort port, std::unique_ptr<ByteSource> bytes);

}  // namespace physmem::view
