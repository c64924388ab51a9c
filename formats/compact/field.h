// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem::compact {

/// One field of a line: a number where it is written as formats/emit writes numbers, else a name of
/// the dictionary.
struct Field {
  enum class Kind : std::uint8_t { kName, kHex, kDec };
  Kind kind = Kind::kName;
  std::uint64_t number = 0;  ///< of a name: its place in the dictionary

  bool operator==(const Field&) const = default;
  bool is_number() const { return kind != Kind::kName; }
  /// For arithmetic: that of a name is 0.
  std::uint64_t value() const { return is_number() ? number : 0; }
};

/// A number is one when writing it gives the same text; nothing otherwise. `likely`: what 12345678
/// is meant to be.
std::optional<Field> number_field(std::string_view text, Field::Kind likely);

inline constexpr std::size_t kMaxDigits = 20;

/// Writes at most kMaxDigits bytes, and returns their end.
char* write_number(char* at, const Field& field);

}  // namespace physmem::compact
