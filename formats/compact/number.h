// SPDX-License-Identifier: MIT Numbers of the compact form: seven bits per byte, the lowest first.
#pragma once

#include <cstdint>
#include <string>

namespace physmem::compact {

inline void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Maps a difference modulo 2^64 to a number that is small if the difference is close to 0.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}

constexpr std::uint64_t from_zigzag(std::uint64_t value) {
  return value >> 1 ^ (0 - (value & 1));
}

}  // namespace physmem::compact
