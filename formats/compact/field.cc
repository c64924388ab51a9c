// SPDX-License-Identifier: MIT
#include "formats/compact/field.h"

#include <charconv>

#include "formats/emit/pieces.h"

namespace physmem::compact {
namespace {

std::optional<Field> number_of(std::string_view text, Field::Kind kind) {
  Field field{kind, 0};
  const char* const text_end = text.data() + text.size();
  const auto [end, error] =
      std::from_chars(text.data(), text_end, field.number, kind == Field::Kind::kHex ? 16 : 10);
  if (error != std::errc() || end != text_end) return {};
  char again[kMaxDigits];
  const std::string_view written(again,
                                 static_cast<std::size_t>(write_number(again, field) - again));
  if (written != text) return {};
  return field;
}

}  // namespace

std::optional<Field> number_field(std::string_view text, Field::Kind likely) {
  if (text.empty() || text.size() > kMaxDigits || text[0] > 'F') return {};
  if (likely != Field::Kind::kName)
    if (const auto field = number_of(text, likely)) return field;
  constexpr std::size_t kMinHexDigits = 8;
  if (text.size() >= kMinHexDigits)
    if (const auto field = number_of(text, Field::Kind::kHex)) return field;
  return number_of(text, Field::Kind::kDec);
}

char* write_number(char* at, const Field& field) {
  return field.kind == Field::Kind::kHex ? write_hex(at, field.number)
                                         : write_dec(at, field.number);
}

}  // namespace physmem::compact
