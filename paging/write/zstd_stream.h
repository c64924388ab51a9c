// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <ostream>

namespace physmem {

/// Compresses everything that is written to it into another stream. After std::flush, a reader of
/// the compressed stream can decode all data written so far.
class ZstdStream {
 public:
  /// Null if this program was built without zstd.
  static std::unique_ptr<ZstdStream> over(std::ostream& inner);
  ~ZstdStream();
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  std::ostream& stream();
  /// Writes the end of the stream. No writes may follow.
  void finish();

 private:
  class Buffer;
  explicit ZstdStream(std::unique_ptr<Buffer> buffer);

  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

}  // namespace physmem
