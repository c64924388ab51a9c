// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <ostream>

namespace physmem::record {

/// What is written to it goes on to another stream, compressed. std::flush makes readable there
/// what was written so far.
class ZstdStream {
 public:
  /// Nothing where this program was built without zstd.
  static std::unique_ptr<ZstdStream> over(std::ostream& inner);
  ~ZstdStream();
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  std::ostream& stream();
  /// Writes the end. Nothing may follow.
  void finish();

 private:
  class Buffer;
  explicit ZstdStream(std::unique_ptr<Buffer> buffer);

  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

}  // namespace physmem::record
