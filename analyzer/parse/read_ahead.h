// SPDX-License-Identifier: MIT
// Reads a source on a separate thread.
#pragma once

#include <memory>

#include "analyzer/parse/byte_source.h"

namespace physmem {

/// Returns the same bytes as `inner`, and the same error after the same byte. They are read and
/// decompressed at most kReadAhead bytes ahead, while the caller works on earlier bytes. If no
/// thread can be started, read() calls `inner` directly.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> inner);

inline constexpr std::size_t kReadAhead = 1 << 20;

}  // namespace physmem
