// SPDX-License-Identifier: MIT
// A snapshot: read, folded, and served or written as one file.
#pragma once

#include <memory>

#include "analyzer/parse/byte_source.h"
#include "viewer/serve.h"

namespace physmem::view {

/// Nothing is served, and no `port` needed, with --html.
Exit show_snapshot(const Serving& serving, OpenPort port, std::unique_ptr<ByteSource> bytes);

}  // namespace physmem::view
