// SPDX-License-Identifier: MIT
// What stands in a file, by its first line: a snapshot or a trace.
#pragma once

#include <memory>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "program/result.h"

namespace physmem::view {

struct OpenedInput {
  std::unique_ptr<ByteSource> bytes;  ///< from the first one on
  bool is_trace = false;
  bool is_snapshot =
      false;  ///< both false: it may be a log with other lines before the first of a trace
};

/// Reads and decodes the first bytes of `source`, which open_source() opened.
Result<OpenedInput> look_into(std::unique_ptr<ByteSource> source);

}  // namespace physmem::view
