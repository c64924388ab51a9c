// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace physmem {

struct Compression {
  const char* name;
  std::string (*compress)(std::string_view text);
};

/// gzip, zstd, xz and lz4, written by the libraries that the reader decompresses with; and the
/// compact form, alone and within zstd.
extern const std::array<Compression, 6> kCompressions;

}  // namespace physmem
