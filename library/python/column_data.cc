// SPDX-License-Identifier: MIT
#include "library/python/column_data.h"

#include <limits>

#include "physmem/text.h"

namespace physmem_python {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void ColumnData::add_valid(bool is_valid) {
  if (size_ % 8 == 0) valid_.push_back(0);
  if (is_valid) valid_.back() = static_cast<std::uint8_t>(valid_.back() | 1U << (size_ % 8));
  missing_ += is_valid ? 0 : 1;
  ++size_;
}

void ColumnData::add(std::uint64_t number) {
  numbers_.push_back(number);
  add_valid(true);
}

void ColumnData::add(std::int64_t difference) {
  differences_.push_back(difference);
  add_valid(true);
}

void ColumnData::add(std::optional<std::uint64_t> number) {
  numbers_.push_back(number.value_or(0));
  reals_.push_back(number ? static_cast<double>(*number) : kMissing);
  add_valid(number.has_value());
}

void ColumnData::add(std::optional<double> real) {
  reals_.push_back(real.value_or(kMissing));
  add_valid(real.has_value());
}

void ColumnData::add(std::string_view text) {
  texts_ += physmem::utf8_name(text);
  text_ends_.push_back(static_cast<std::int64_t>(texts_.size()));
  add_valid(true);
}

std::string_view ColumnData::text(std::size_t row) const {
  const auto begin = static_cast<std::size_t>(text_ends_[row]);
  const auto end = static_cast<std::size_t>(text_ends_[row + 1]);
  return std::string_view(texts_).substr(begin, end - begin);
}

}  // namespace physmem_python
