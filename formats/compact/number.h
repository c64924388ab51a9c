// SPDX-License-Identifier: MIT
// Numbers of the compact form: seven bits a byte, the lowest first.
#pragma once

#include <cstdint>
#include <string>

namespace physmem::compact {

inline void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// A difference modulo 2^64 as a number that is small when it is near 0 on either side.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}

constexpr std::uint64_t from_zigzag(std::uint64_t value) {
  return value >> 1 ^ (0 - (value & 1));
}

}  // namespace physmem::compact
