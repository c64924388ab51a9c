// SPDX-License-Identifier: MIT
// Detects from its first line whether a file is a snapshot or a trace.
#pragma once

#include <memory>
#include <string>

#include "analyzer/parse/open_source.h"
#include "program/result.h"

namespace physmem::view {

struct OpenedInput {
  std::unique_ptr<ByteSource> bytes;  ///< from the first byte
  bool is_trace = false;
  /// If both are false, it may be a log with other lines before the first line of a trace.
  bool is_snapshot = false;
};

/// Reads and decodes the first bytes of `source`, which must come from open_source().
Result<OpenedInput> look_into(std::unique_ptr<ByteSource> source);

}  // namespace physmem::view
