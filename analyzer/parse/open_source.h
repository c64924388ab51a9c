// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/decoded_source.h"
#include "program/result.h"

namespace physmem {

/// Opens a file, or standard input for "-". With `has_threads`, a separate thread reads and
/// decompresses input that is not mapped (read_ahead.h).
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path, Undo undo = Undo::kAll,
                                                bool has_threads = false);

}  // namespace physmem
