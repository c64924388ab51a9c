// SPDX-License-Identifier: MIT
// Where the bytes of a snapshot come from: a file, a pipe, or a compressed form of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "program/result.h"

namespace physmem {

class PredecodedRuns;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads 1 to `size` bytes. Returns 0 at the end of the input.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;

  /// Ends a read() that waits for bytes in another thread. Later calls of read() return at once.
  virtual void interrupt() {}

  /// The whole input, if it is a file that can be mapped; then read() is not called. data() is
  /// nullptr for all other sources. The margins of MappedFile before and after the text are
  /// readable.
  virtual std::string_view text() const { return {}; }
  /// The part of text() before `offset` is not used any more.
  virtual void release(std::uint64_t offset) { static_cast<void>(offset); }
  /// M: entries that read() leaves out, once the caller has called PredecodedRuns::request().
  /// nullptr if the input has no such form. A caller that has called request() must take them.
  virtual PredecodedRuns* predecoded_runs() { return nullptr; }
  /// The error that has occurred in text() since it was returned.
  virtual Status state() const { return {}; }
};

/// The text itself; it must outlive the source. For tests and fuzzers.
std::unique_ptr<ByteSource> text_source(std::string_view text);

}  // namespace physmem
