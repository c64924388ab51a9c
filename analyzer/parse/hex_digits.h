// SPDX-License-Identifier: MIT
// Decodes many digits at a time with plain 64-bit arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace physmem {

inline constexpr std::size_t kMaxHexDigits = 16;

namespace detail {

constexpr std::uint64_t each_byte(std::uint64_t value) {
  return value * 0x0101010101010101u;
}

/// Decodes eight characters, the first in the lowest byte, to 32 bits. Sets a bit of `wrong` for
/// each character that is not a hex digit.
inline std::uint64_t decode_eight(std::uint64_t text, std::uint64_t& wrong) {
  const std::uint64_t letter = text >> 6 & each_byte(1);  // 1 for letters, if the text is valid
  const std::uint64_t upper = text & ~(letter << 5);      // 'a' as 'A'
  const std::uint64_t low = text & each_byte(0x0F);
  const std::uint64_t digit = low + letter * 9;
  wrong |= (upper & each_byte(0xF0)) ^
           (each_byte(0x30) + (letter << 4));                    // an ASCII row without hex digits
  wrong |= (low + each_byte(6) + letter * 3) & each_byte(0x10);  // above '9', above 'F'
  wrong |= letter << 4 & ~(low + each_byte(0x0F));               // before 'A'
  // Pairs of digits to bytes, pairs of bytes to words, pairs of words to the number.
  const std::uint64_t bytes = (digit << 4 | digit >> 8) & 0x00FF00FF00FF00FFu;
  const std::uint64_t words = (bytes << 8 | bytes >> 16) & 0x0000FFFF0000FFFFu;
  return (words << 16 | words >> 32) & 0xFFFFFFFFu;
}

inline std::uint64_t load_eight(const char* at) {
  std::uint64_t text;
  std::memcpy(&text, at, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap64(text);
#endif
  return text;
}

/// `text` with all but its last `width` characters (0 to 8) replaced by '0'.
inline std::uint64_t last_of_eight(std::uint64_t text, std::size_t width) {
  if (width == 0) return each_byte('0');
  const std::uint64_t used = ~std::uint64_t{0} << (64 - 8 * width);
  return (text & used) | (each_byte('0') & ~used);
}

}  // namespace detail

/// The hex number of `width` digits (1 to 16) that ends before `end`. Clears `valid` if a character
/// is not a hex digit. Sixteen bytes before `end` must be readable.
inline std::uint64_t decode_hex(const char* end, std::size_t width, bool& valid) {
  using namespace detail;
  std::uint64_t wrong = 0;
  const std::size_t front = width > 8 ? width - 8 : 0;
  const std::uint64_t low = decode_eight(last_of_eight(load_eight(end - 8), width - front), wrong);
  const std::uint64_t high =
      front == 0 ? 0 : decode_eight(last_of_eight(load_eight(end - 16), front), wrong);
  valid &= wrong == 0;
  return high << 32 | low;
}

/// The decimal number of `width` digits (1 to 8) that ends before `end`. Clears `valid` as above.
/// Eight bytes before `end` must be readable.
inline std::uint64_t decode_decimal(const char* end, std::size_t width, bool& valid) {
  using namespace detail;
  const std::uint64_t text = last_of_eight(load_eight(end - 8), width);
  const std::uint64_t digit = text ^ each_byte('0');
  valid &= ((digit | (digit + each_byte(6))) & each_byte(0xF0)) == 0;
  // Pairs of digits to bytes, pairs of bytes to words, pairs of words to the number.
  const std::uint64_t bytes = (digit * 10 + (digit >> 8)) & 0x00FF00FF00FF00FFu;
  const std::uint64_t words = (bytes * 100 + (bytes >> 16)) & 0x0000FFFF0000FFFFu;
  return (words * 10000 + (words >> 32)) & 0xFFFFFFFFu;
}

}  // namespace physmem
