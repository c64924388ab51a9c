// SPDX-License-Identifier: MIT
// One column of a table in the memory layout of Arrow, which numpy shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace physmem_python {

enum class ColumnKind {
  kNumber,          ///< uint64
  kDifference,      ///< int64
  kOptionalNumber,  ///< uint64, some missing
  kOptionalReal,    ///< float64, some missing
  kText,            ///< valid UTF-8
};

class ColumnData {
 public:
  explicit ColumnData(ColumnKind kind) : kind_(kind) {}

  void add(std::uint64_t number);
  void add(std::int64_t difference);
  void add(std::optional<std::uint64_t> number);
  void add(std::optional<double> real);
  /// Text that is not valid UTF-8 is escaped (physmem/text.h).
  void add(std::string_view text);

  ColumnKind kind() const { return kind_; }
  std::size_t size() const { return size_; }
  std::size_t missing() const { return missing_; }
  bool has(std::size_t row) const { return (valid_[row / 8] >> (row % 8) & 1) != 0; }
  std::uint64_t number(std::size_t row) const { return numbers_[row]; }
  std::int64_t difference(std::size_t row) const { return differences_[row]; }
  double real(std::size_t row) const { return reals_[row]; }
  std::string_view text(std::size_t row) const;

  const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  const std::vector<std::int64_t>& differences() const { return differences_; }
  /// Reals, or optional numbers as reals. Missing numbers are NaN.
  const std::vector<double>& reals() const { return reals_; }
  const std::vector<std::int64_t>& text_ends() const { return text_ends_; }  ///< begins with a 0
  const std::string& texts() const { return texts_; }
  const std::vector<std::uint8_t>& valid() const { return valid_; }  ///< a bit per row

 private:
  void add_valid(bool is_valid);

  ColumnKind kind_;
  std::size_t size_ = 0;
  std::size_t missing_ = 0;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::int64_t> differences_;
  std::vector<double> reals_;
  std::vector<std::int64_t> text_ends_{0};
  std::string texts_;
  std::vector<std::uint8_t> valid_;
};

}  // namespace physmem_python
