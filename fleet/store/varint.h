// SPDX-License-Identifier: MIT
// Numbers of 7 bits in a byte, the lowest first; the highest bit of a byte says that more follow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace physmem::fleet {

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// The text must begin with a number.
inline std::uint64_t take_varint(std::string_view& in) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(in[i++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  in.remove_prefix(i);
  return value;
}

}  // namespace physmem::fleet
