// SPDX-License-Identifier: MIT
#include "analyzer/report/numbered_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "analyzer/report/cell_text.h"

namespace physmem {
namespace {

/// Replaces the digits of `there` before `end` by the digits of `number`. Writes only from the
/// first digit that differs to the last.
void overwrite_hex(char* end, std::uint64_t number, std::uint64_t there) {
  std::uint64_t other = number ^ there;
  if (other == 0) return;
  const int same = std::countr_zero(other) / 4;  // addresses of pages end with three zeros
  number >>= 4 * same;
  end -= same;
  for (other >>= 4 * same; other != 0; other >>= 4, number >>= 4)
    *--end = "0123456789ABCDEF"[number & 0xF];
}

}  // namespace

NumberedLines::NumberedLines(Column::Kind kind, std::size_t width, std::string rest)
    : kind_(kind), width_(width), line_(std::move(rest)) {}

void NumberedLines::append(std::string& to, const Numbers& numbers) {
  for (Numbers left = numbers; left.count != 0;) {
    if (left.begin < least_ || left.begin > last_) write_out(left.begin);
    Numbers uniform = left;
    if (left.step != 0)
      uniform.count = std::min(left.count - 1, (last_ - left.begin) / left.step) + 1;
    append_equal(to, uniform);
    left.begin += uniform.count * left.step;
    left.count -= uniform.count;
  }
}

void NumberedLines::write_out(std::uint64_t number) {
  std::string front;
  append_cell(front, number, kind_);
  if (front.size() < width_) front.insert(0, width_ - front.size(), ' ');
  line_.replace(0, number_end_, front);
  number_end_ = front.size();
  number_ = least_ = last_ = number;
  if (kind_ != Column::Kind::kHex) return;
  constexpr int kMinDigits = 8;  // of 0X%08X
  const int digits = std::max(kMinDigits, (static_cast<int>(std::bit_width(number)) + 3) / 4);
  least_ = digits == kMinDigits ? 0 : std::uint64_t{1} << 4 * (digits - 1);
  last_ = ~std::uint64_t{0} >> (64 - 4 * digits);
}

void NumberedLines::append_equal(std::string& to, const Numbers& numbers) const {
  const std::size_t begin = to.size();
  to.resize(begin + numbers.count * line_.size());
  char* at = to.data() + begin;
  for (std::uint64_t i = 0; i < numbers.count; ++i, at += line_.size()) {
    std::memcpy(at, line_.data(), line_.size());
    overwrite_hex(at + number_end_, numbers.begin + i * numbers.step, number_);
  }
}

}  // namespace physmem
