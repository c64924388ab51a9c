// SPDX-License-Identifier: MIT
// What stands in a file, by its first line: a snapshot or a trace.
#pragma once

#include <memory>
#include <string>

#include "analyzer/model/result.h"
#include "analyzer/parse/byte_source.h"

namespace physmem::view {

struct OpenedInput {
  std::unique_ptr<ByteSource> bytes;  ///< from the first one on
  bool is_trace = false;
  bool is_snapshot = false;  ///< both false: it may be a log with other lines before the first of a trace
};

/// "-": standard input. gzip, zstd, xz and lz4 are looked into.
Result<OpenedInput> open_input(const std::string& path);

}  // namespace physmem::view
