// SPDX-License-Identifier: MIT
#include "formats/compact/checksum.h"

#include <array>
#include <cstddef>

namespace physmem::compact {
namespace {

constexpr std::size_t kAtOnce = 8;
using Table = std::array<std::array<std::uint32_t, 256>, kAtOnce>;

/// table[n][byte]: contribution of a byte that is followed by n bytes.
Table make_table() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;  // the lowest bit first
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = sum;
  }
  for (std::size_t n = 1; n < kAtOnce; ++n)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t sum = table[n - 1][byte];
      table[n][byte] = sum >> 8 ^ table[0][sum & 0xFF];
    }
  return table;
}

std::uint32_t after_eight(const Table& table, std::uint32_t sum, const char* at) {
  const std::uint32_t low = word_at(at) ^ sum;
  const std::uint32_t high = word_at(at + 4);
  std::uint32_t after = 0;
  for (unsigned i = 0; i < 4; ++i)
    after ^= table[7 - i][low >> 8 * i & 0xFF] ^ table[3 - i][high >> 8 * i & 0xFF];
  return after;
}

}  // namespace

std::uint32_t crc32(std::uint32_t before, std::string_view bytes) {
  // Not constexpr: it would be 8 kB of a small collector's file.
  static const Table table = make_table();
  std::uint32_t sum = ~before;
  for (; bytes.size() >= kAtOnce; bytes.remove_prefix(kAtOnce))
    sum = after_eight(table, sum, bytes.data());
  for (const char c : bytes)
    sum = sum >> 8 ^ table[0][(sum ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~sum;
}

void put_word(char* at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) at[i] = static_cast<char>(value >> 8 * i);
}

std::uint32_t word_at(const char* at) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(at[i])} << 8 * i;
  return value;
}

std::uint32_t block_checksum(std::uint32_t before, std::uint32_t text_bytes,
                             std::string_view payload) {
  char head[12];
  put_word(head, before);
  put_word(head + 4, static_cast<std::uint32_t>(payload.size()));
  put_word(head + 8, text_bytes);
  return crc32(crc32(0, {head, sizeof head}), payload);
}

}  // namespace physmem::compact
