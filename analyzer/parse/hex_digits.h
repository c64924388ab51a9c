// SPDX-License-Identifier: MIT
// Many hex digits at a time. Inline, for the one loop that needs it (mapping_scanner.cc).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace physmem {

inline constexpr std::size_t kMaxHexDigits = 16;

/// The hex number of `width` digits (1 to 16) that ends before `end`. Clears `valid` when a character is no
/// hex digit, and leaves it alone otherwise. For machines without SSE2, and the witness of the other in
/// tests.
inline std::uint64_t decode_hex_portable(const char* end, std::size_t width, bool& valid) {
  std::uint64_t value = 0;
  unsigned wrong = 0;
  for (const char* at = end - width; at != end; ++at) {
    const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
    const unsigned letter = (static_cast<unsigned char>(*at) | 0x20u) - unsigned{'a'};
    wrong |= static_cast<unsigned>(digit > 9) & static_cast<unsigned>(letter > 5);
    value = value << 4 | (digit <= 9 ? digit : letter + 10);
  }
  valid &= wrong == 0;
  return value;
}

#ifdef __SSE2__

/// 16 - width bytes of 0, then 0xFF.
inline __m128i last_bytes_mask(std::size_t width) {
  alignas(16) static constexpr unsigned char kMasks[32] = {
      0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMasks + width));
}

/// As decode_hex_portable(), all digits at once; sixteen bytes before `end` must be readable.
inline std::uint64_t decode_hex(const char* end, std::size_t width, bool& valid) {
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - kMaxHexDigits));
  const __m128i used = last_bytes_mask(width);
  const __m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
  const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
  const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
  const __m128i wrong = _mm_andnot_si128(_mm_or_si128(is_digit, is_letter), used);
  const __m128i nibbles =
      _mm_and_si128(used, _mm_or_si128(_mm_and_si128(is_digit, digit),
                                       _mm_and_si128(is_letter, _mm_add_epi8(letter, _mm_set1_epi8(10)))));
  // In each pair of bytes the first is the high half of the result's byte.
  const __m128i pairs = _mm_and_si128(_mm_or_si128(_mm_slli_epi16(nibbles, 4), _mm_srli_epi16(nibbles, 8)),
                                      _mm_set1_epi16(0x00FF));
  const auto bytes = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)));
  valid &= _mm_movemask_epi8(wrong) == 0;
  return __builtin_bswap64(bytes);
}

#else

inline std::uint64_t decode_hex(const char* end, std::size_t width, bool& valid) {
  return decode_hex_portable(end, width, valid);
}

#endif

}  // namespace physmem
