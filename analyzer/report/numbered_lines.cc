// SPDX-License-Identifier: MIT
#include "analyzer/report/numbered_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "analyzer/report/cell_text.h"

namespace physmem {
namespace {

/// Over the digits that stand before `end`, of a number that is not larger.
void overwrite_hex(char* end, std::uint64_t number) {
  for (; number != 0; number >>= 4) *--end = "0123456789ABCDEF"[number & 0xF];
}

/// As many of the numbers as have the digits of the first: the line of one becomes that of the next by other digits.
std::uint64_t alike(const Numbers& numbers, Column::Kind kind) {
  if (kind != Column::Kind::kHex || numbers.step == 0) return 1;
  const unsigned digits = std::max(8u, (static_cast<unsigned>(std::bit_width(numbers.begin)) + 3) / 4);
  const std::uint64_t last = digits < 16 ? (std::uint64_t{1} << 4 * digits) - 1 : ~std::uint64_t{0};
  return std::min(numbers.count - 1, (last - numbers.begin) / numbers.step) + 1;
}

}  // namespace

void append_numbered_lines(std::string& to, const Numbers& numbers, Column::Kind kind, std::size_t width,
                           std::string_view rest) {
  std::string line;
  for (Numbers left = numbers; left.count != 0;) {
    const std::uint64_t lines = alike(left, kind);
    line.clear();
    append_cell(line, left.begin, kind);
    if (line.size() < width) line.insert(0, width - line.size(), ' ');
    const std::size_t number_end = line.size();
    line += rest;
    const std::size_t begin = to.size();
    to.resize(begin + lines * line.size());
    char* at = to.data() + begin;
    for (std::uint64_t i = 0; i < lines; ++i, at += line.size()) {
      std::memcpy(at, line.data(), line.size());
      if (i != 0) overwrite_hex(at + number_end, left.begin + i * left.step);
    }
    left.begin += lines * left.step;
    left.count -= lines;
  }
}

}  // namespace physmem
