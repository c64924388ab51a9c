// SPDX-License-Identifier: MIT
#include "analyzer/parse/uniform_entries.h"

#include <cassert>
#include <cstring>
#include <vector>

#include "analyzer/parse/hex_digits.h"

// A portable build (-DPHYSMEM_PORTABLE=ON) uses only 64-bit arithmetic, as on other architectures.
#if defined(__x86_64__) && !defined(PHYSMEM_PORTABLE)
#define PHYSMEM_VECTORS
#include <immintrin.h>
#endif

namespace physmem {
namespace {

/// Text is prefetched this many bytes ahead. The hardware prefetcher stops at the end of a page,
/// and the next page of a file is elsewhere in RAM.
constexpr std::ptrdiff_t kAhead = 4096;

/// Compares `size` bytes, at least eight, as words. The last word overlaps.
bool is_same(const char* a, const char* b, std::size_t size) {
  using detail::load_eight;
  std::uint64_t differ = load_eight(a + size - 8) ^ load_eight(b + size - 8);
  for (std::size_t i = 0; i + 8 < size; i += 8) differ |= load_eight(a + i) ^ load_eight(b + i);
  return differ == 0;
}

/// Each entry is stored as the start of a new run. It is counted as a run only if it does not
/// continue the one before. This needs no branch.
void put(PageRun& run, std::uint64_t va, std::uint64_t value, std::uint64_t entry) {
  run.va = va;
  run.value = value;
  run.pages = entry;
}

Taken take_portably(const char* at, const char* end, const EntryShape& shape, const RunRoom& room) {
  const auto [run, runs, entries, page_bytes] = room;
  const std::size_t va_end = 1 + shape.va_width;
  const std::size_t value_end = shape.value_end();
  Taken n;
  std::uint64_t next_va = 0;
  std::uint64_t next_value = 0;
  for (; n.entries < entries && n.runs < runs && static_cast<std::size_t>(end - at) >= shape.length;
       ++n.entries, at += shape.length) {
    __builtin_prefetch(at + kAhead);
    bool valid = at[0] == ' ' && at[va_end] == '=';
    valid &= is_same(at + value_end, shape.text.data() + value_end, shape.length - value_end);
    const std::uint64_t va = decode_hex(at + va_end, shape.va_width, valid);
    const std::uint64_t value = decode_hex(at + value_end, shape.value_width, valid);
    if (!valid) break;
    put(run[n.runs], va, value, n.entries);
    n.runs += n.entries == 0 || ((va ^ next_va) | (value ^ next_value)) != 0 ? 1 : 0;
    next_va = va + page_bytes;
    next_value = value + page_bytes;
  }
  return n;
}

/// Finds only the separators of the first entry, which is all that learn() uses.
Separators find_portably(const char* at, char* copy) {
  Separators found;
  std::memcpy(copy, at, EntryShape::kMaxLength);
  for (unsigned i = 0; i < 64 && found.bars == 0; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    found.equals |= at[i] == '=' ? bit : 0;
    found.commas |= at[i] == ',' ? bit : 0;
    found.bars |= at[i] == '|' ? bit : 0;
  }
  return found;
}

#ifdef PHYSMEM_VECTORS

// Both addresses are decoded as one vector: 16 characters each, right-aligned, the characters
// before them masked.

/// 32 bytes of 0, then 32 of 0xFF. The mask of the last n bytes of a vector begins at byte n.
alignas(64) constexpr auto kLastBytes = [] {
  std::array<unsigned char, 96> bytes{};
  for (std::size_t i = 32; i < bytes.size(); ++i) bytes[i] = 0xFF;
  return bytes;
}();

#define PHYSMEM_AVX2 __attribute__((target("avx2")))

PHYSMEM_AVX2 __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

PHYSMEM_AVX2 __m128i load_half(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

PHYSMEM_AVX2 Separators find_avx2(const char* at, char* copy) {
  const __m256i front = load(at);
  const __m256i rest = load(at + 32);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(copy), front);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(copy + 32), rest);
  const auto where = [&](char separator) PHYSMEM_AVX2 {
    const __m256i wanted = _mm256_set1_epi8(separator);
    const auto low =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(front, wanted)));
    const auto high =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(rest, wanted)));
    return low | std::uint64_t{high} << 32;
  };
  return {where('='), where(','), where('|')};
}

/// The difference between the addresses of two adjacent pages, in the layout of join_digits().
PHYSMEM_AVX2 __m256i a_page_on(std::uint64_t page_bytes) {
  const auto bytes = static_cast<long long>(page_bytes);
  return _mm256_set_epi64x(0, bytes, 0, bytes);
}

/// Joins hex digits, one per byte, to two 64-bit numbers in the lower halves of the 128-bit lanes.
PHYSMEM_AVX2 __m256i join_digits(__m256i digits) {
  const __m256i reversed = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(14, 12, 10, 8, 6, 4, 2, 0, -1, -1, -1, -1, -1, -1, -1, -1));
  return _mm256_shuffle_epi8(_mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x0110)), reversed);
}

/// A digit is the low nibble of its character, plus 9 for a letter. Which low nibbles are valid
/// depends on the high nibble: bit 0 for '0' to '9', bit 1 for letters.
PHYSMEM_AVX2 Taken take_avx2(const char* at, const char* end, const EntryShape& shape,
                             const RunRoom& room) {
  const auto [run, runs, entries, page_bytes] = room;
  const std::size_t length = shape.length;
  const std::size_t va_end = 1 + shape.va_width;
  const std::size_t value_end = shape.value_end();
  const __m256i is_digit = _mm256_set_m128i(load_half(kLastBytes.data() + 16 + shape.value_width),
                                            load_half(kLastBytes.data() + 16 + shape.va_width));
  const __m256i is_tail = load(kLastBytes.data() + length - value_end);
  alignas(32) std::array<char, 96> example{};
  std::memcpy(example.data() + 32, shape.text.data(), shape.text.size());
  const __m256i tail = _mm256_and_si256(is_tail, load(example.data() + length));
  const __m256i of_low_half =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 3, 3, 3, 3, 3, 3, 1, 1, 1, 0, 0, 0, 0, 0, 0));
  const __m256i of_high_half =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 1, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i half = _mm256_set1_epi8(0x0F);
  const __m256i letter_bit = _mm256_set1_epi8(0x40);
  const __m256i page = a_page_on(page_bytes);
  __m256i expected =
      _mm256_set1_epi64x(-1);  // which no numbers are: the upper halves of theirs are 0
  Taken n;
  for (; n.entries < entries && n.runs < runs && static_cast<std::size_t>(end - at) >= length;
       ++n.entries, at += length) {
    __builtin_prefetch(at + kAhead);
    const __m256i text = _mm256_inserti128_si256(
        _mm256_castsi128_si256(load_half(at + va_end - 16)), load_half(at + value_end - 16), 1);
    const __m256i low = _mm256_and_si256(text, half);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(text, 4), half);
    const __m256i kind = _mm256_and_si256(_mm256_shuffle_epi8(of_low_half, low),
                                          _mm256_shuffle_epi8(of_high_half, high));
    const __m256i no_digit =
        _mm256_and_si256(is_digit, _mm256_cmpeq_epi8(kind, _mm256_setzero_si256()));
    const __m256i differ =
        _mm256_xor_si256(tail, _mm256_and_si256(is_tail, load(at + length - 32)));
    const __m256i wrong = _mm256_or_si256(no_digit, differ);
    if (at[0] != ' ' || at[va_end] != '=' || !_mm256_testz_si256(wrong, wrong)) break;
    const __m256i letter = _mm256_cmpeq_epi8(_mm256_and_si256(text, letter_bit), letter_bit);
    const __m256i nine = _mm256_and_si256(letter, _mm256_set1_epi8(9));
    const __m256i numbers = join_digits(_mm256_and_si256(is_digit, _mm256_add_epi8(low, nine)));
    put(run[n.runs], static_cast<std::uint64_t>(_mm256_extract_epi64(numbers, 0)),
        static_cast<std::uint64_t>(_mm256_extract_epi64(numbers, 2)), n.entries);
    n.runs += _mm256_movemask_epi8(_mm256_cmpeq_epi64(numbers, expected)) != -1 ? 1 : 0;
    expected = _mm256_add_epi64(numbers, page);
  }
  return n;
}

/// The digit of each character below 0x80, or 0x80 if it is not a hex digit.
alignas(64) constexpr auto kDigitOf = [] {
  std::array<unsigned char, 128> digits{};
  for (unsigned char& digit : digits) digit = 0x80;
  for (unsigned i = 0; i < 10; ++i) digits['0' + i] = static_cast<unsigned char>(i);
  for (unsigned i = 0; i < 6; ++i)
    digits['A' + i] = digits['a' + i] = static_cast<unsigned char>(10 + i);
  return digits;
}();

#define PHYSMEM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))

/// The indices of the sixteen bytes before `end`.
PHYSMEM_AVX2 __m128i last_sixteen(std::size_t end) {
  const __m128i counting = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_add_epi8(counting, _mm_set1_epi8(static_cast<char>(end - 16)));
}

std::uint64_t low_bits(std::size_t n) {
  return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

/// Compares the whole entry with the learnt one. Then one instruction extracts the digits of both
/// addresses, and another looks up their values.
PHYSMEM_AVX512 Taken take_avx512(const char* at, const char* end, const EntryShape& shape,
                                 const RunRoom& room) {
  const auto [run, runs, entries, page_bytes] = room;
  const std::size_t length = shape.length;
  assert(shape.va_width <= kMaxHexDigits && shape.value_width <= kMaxHexDigits);
  const std::uint64_t stays = low_bits(length) & ~(low_bits(shape.va_width) << 1) &
                              ~(low_bits(shape.value_width) << (2 + shape.va_width));
  const auto is_digit =
      static_cast<__mmask64>((0xFFFF & 0xFFFFu << (16 - shape.va_width)) |
                             (0xFFFF & 0xFFFFu << (16 - shape.value_width)) << 16);
  const __m512i places = _mm512_castsi256_si512(
      _mm256_set_m128i(last_sixteen(shape.value_end()), last_sixteen(1 + shape.va_width)));
  const __m512i example = _mm512_loadu_si512(shape.text.data());
  const __m512i digit_of = _mm512_load_si512(kDigitOf.data());
  const __m512i digit_of_upper = _mm512_load_si512(kDigitOf.data() + 64);
  const __m256i page = a_page_on(page_bytes);
  __m256i expected =
      _mm256_set1_epi64x(-1);  // which no numbers are: the upper halves of theirs are 0
  Taken n;
  for (; n.entries < entries && n.runs < runs && static_cast<std::size_t>(end - at) >= length;
       ++n.entries, at += length) {
    __builtin_prefetch(at + kAhead);
    const __m512i text = _mm512_loadu_si512(at);
    if (_mm512_mask_cmpneq_epi8_mask(stays, text, example) != 0) break;
    const __m512i characters = _mm512_maskz_permutexvar_epi8(is_digit, places, text);
    const __m512i digits =
        _mm512_maskz_permutex2var_epi8(is_digit, digit_of, characters, digit_of_upper);
    if (_mm256_movemask_epi8(_mm512_castsi512_si256(_mm512_or_si512(digits, characters))) != 0)
      break;
    const __m256i numbers = join_digits(_mm512_castsi512_si256(digits));
    put(run[n.runs], static_cast<std::uint64_t>(_mm256_extract_epi64(numbers, 0)),
        static_cast<std::uint64_t>(_mm256_extract_epi64(numbers, 2)), n.entries);
    n.runs += _mm256_cmpneq_epi64_mask(numbers, expected) != 0 ? 1 : 0;
    expected = _mm256_add_epi64(numbers, page);
  }
  return n;
}

PHYSMEM_AVX512 Separators find_avx512(const char* at, char* copy) {
  const __m512i text = _mm512_loadu_si512(at);
  _mm512_storeu_si512(copy, text);
  return {_mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('=')),
          _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(',')),
          _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('|'))};
}

#endif

Taken take_none(const char*, const char*, const EntryShape&, const RunRoom&) {
  return {};
}

Separators find_none(const char*, char*) {
  return {};
}

}  // namespace

EntryReader no_entry_reader() {
  return {"none", take_none, find_none};
}

std::span<const EntryReader> entry_readers() {
  static const std::vector<EntryReader> readers = [] {
    std::vector<EntryReader> all{{"portable", take_portably, find_portably}};
#ifdef PHYSMEM_VECTORS
    if (__builtin_cpu_supports("avx2")) all.push_back({"AVX2", take_avx2, find_avx2});
    if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
      all.push_back({"AVX-512", take_avx512, find_avx512});
#endif
    return all;
  }();
  return readers;
}

}  // namespace physmem
