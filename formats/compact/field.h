// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem::compact {

/// One field of a line: a number if it is written as in formats/emit, otherwise a name of the
/// dictionary.
struct Field {
  enum class Kind : std::uint8_t { kName, kHex, kDec };
  Kind kind = Kind::kName;
  std::uint64_t number = 0;  ///< for a name: its index in the dictionary

  bool operator==(const Field&) const = default;
  bool is_number() const { return kind != Kind::kName; }
  /// The value for arithmetic; 0 for a name.
  std::uint64_t value() const { return is_number() ? number : 0; }
};

/// Parses a number. Returns nothing unless writing the number gives the same text. `likely`: the
/// kind of ambiguous text such as 12345678.
std::optional<Field> number_field(std::string_view text, Field::Kind likely);

inline constexpr std::size_t kMaxDigits = 20;

/// Writes at most kMaxDigits bytes and returns their end.
char* write_number(char* at, const Field& field);

}  // namespace physmem::compact
