// SPDX-License-Identifier: MIT
// The six hexadecimal fields at the start of a V: line, read at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyzer/parse/hex_digits.h"

namespace physmem {

/// Neighbouring lines mostly have fields of the same widths, so the widths of the line before are
/// tried first. Lines with other widths are left to LineCursor, which also reports errors.
class HexColumns {
 public:
  static constexpr std::size_t kFields = 6;
  using Values = std::array<std::uint64_t, kFields>;

  /// Where the fields end. 0 if their widths differ from those learnt; `values` are then undefined.
  std::size_t read(std::string_view line, Values& values) const {
    if (end_ == 0 || line.size() <= end_ || line[end_] != ',') return 0;
    const char* at = line.data() + 1;
    std::uint64_t wrong = 0;
    char before = ':';
    for (std::size_t i = 0; i < kFields; ++i, before = ',') {
      wrong |= static_cast<unsigned char>(at[0] ^ before) | static_cast<unsigned char>(at[1] ^ ' ');
      values[i] = decode(at + 2, width_[i], wrong);
      at += 2 + width_[i];
    }
    return wrong == 0 ? end_ : 0;
  }

  void learn(std::string_view line) {
    end_ = 0;
    std::size_t at = 1;
    for (std::size_t& width : width_) {
      const std::size_t comma = line.find(',', at + 1);
      if (comma == std::string_view::npos || comma < at + 2 + kMin ||
          comma > at + 2 + kMaxHexDigits)
        return;
      width = comma - at - 2;
      at = comma;
    }
    end_ = at;
  }

 private:
  static constexpr std::size_t kMin = 8;  ///< digits; they are loaded at once

  static std::uint64_t decode(const char* at, std::size_t width, std::uint64_t& wrong) {
    using namespace detail;
    const std::uint64_t front = decode_eight(load_eight(at), wrong);
    if (width == kMin) return front;
    const std::size_t rest = width - kMin;
    return front << 4 * rest | decode_eight(last_of_eight(load_eight(at + rest), rest), wrong);
  }

  std::array<std::size_t, kFields> width_{};
  std::size_t end_ = 0;  ///< of the last field in the line; 0: no widths learnt
};

}  // namespace physmem
