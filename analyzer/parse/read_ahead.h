// SPDX-License-Identifier: MIT
// Reads a source on a thread of its own.
#pragma once

#include <memory>

#include "analyzer/parse/byte_source.h"

namespace physmem {

/// The same bytes, and the same error behind the same byte, read (and decompressed) while somebody
/// works on those before: at most kReadAhead bytes ahead. Where no thread can be had, it reads when
/// it is asked.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> inner);

inline constexpr std::size_t kReadAhead = 1 << 20;

}  // namespace physmem
