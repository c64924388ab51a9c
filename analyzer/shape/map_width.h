// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace physmem {

/// Cells of a line " ADDRESS |cells|" of a page map that fits a terminal. Addresses of lines end
/// with zeros if their number is a multiple of 16.
constexpr std::size_t map_cells(std::size_t columns, std::uint64_t address) {
  const std::size_t digits = address >> 48 != 0 ? 16 : 12;
  const std::size_t frame = 1 + digits + 1 + 2;
  const std::size_t room = columns > frame ? columns - frame : 1;
  return room < 16 ? room : room / 16 * 16;
}

}  // namespace physmem
