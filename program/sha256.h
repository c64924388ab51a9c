// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace physmem {

/// 32 bytes, the most significant first.
using Sha256 = std::array<std::uint8_t, 32>;

/// The digest of FIPS 180-4. The collector links no cryptographic library, so that it can be built
/// static for a small target.
Sha256 sha256(std::string_view bytes);

/// The same of bytes that come in pieces.
class Sha256Stream {
 public:
  void add(std::string_view bytes);
  /// The digest of all bytes since the construction or the last call.
  Sha256 finish();

 private:
  static constexpr std::array<std::uint32_t, 8> kInitial{// FIPS 180-4, section 5.3.3
                                                         0x6A09E667, 0xBB67AE85, 0x3C6EF372,
                                                         0xA54FF53A, 0x510E527F, 0x9B05688C,
                                                         0x1F83D9AB, 0x5BE0CD19};

  std::array<std::uint32_t, 8> state_ = kInitial;
  std::array<char, 64> block_{};  ///< its first size_ % 64 bytes
  std::uint64_t size_ = 0;
};

/// Two lower-case hexadecimal digits for each byte.
std::string hex_of(std::span<const std::uint8_t> bytes);
/// The bytes of an even number of hexadecimal digits.
std::string bytes_of_hex(std::string_view digits);

/// The keyed digest of RFC 2104 with SHA-256.
Sha256 hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace physmem
