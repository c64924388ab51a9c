// SPDX-License-Identifier: MIT
// Compression with zstd, in pieces. The only place that calls it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace physmem {

/// False if the program was built without zstd.
bool has_zstd();

class ZstdCompressor {
 public:
  enum class Step {
    kContinue,
    kFlush,  ///< a reader of the output can then decode all text so far
    kEnd,    ///< ends the frame; the next text begins another one
  };
  /// Receives compressed bytes. Returns 0 or an error number, which ends the call of compress().
  using Sink = std::function<int(std::string_view)>;

  /// Empty without zstd, or if there is not enough memory.
  static std::unique_ptr<ZstdCompressor> create();
  virtual ~ZstdCompressor() = default;

  /// Returns 0 or an error number.
  virtual int compress(std::string_view text, Step step, const Sink& to) = 0;
  /// Drops the frame that was begun.
  virtual void reset() = 0;
};

}  // namespace physmem
