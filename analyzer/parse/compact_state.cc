// SPDX-License-Identifier: MIT
#include "analyzer/parse/compact_state.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include "analyzer/parse/line_cursor.h"
#include "formats/emit/flags.h"

namespace physmem::compact {
namespace {

bool is_number(const Field& field) {
  return field.kind != Field::Kind::kName;
}

std::optional<Field> number_of(std::string_view text, Field::Kind kind) {
  constexpr std::size_t kMost = 20;  // digits of 2^64
  Field field{kind, 0};
  const bool is_hex = kind == Field::Kind::kHex;
  if (text.size() > kMost || !(is_hex ? parse_hex(text, field.number) : parse_dec(text, field.number)))
    return {};
  std::string again;
  append_number(again, field);
  if (again != text) return {};
  return field;
}

/// The same field with another number, where it is one.
Field with_number(Field field, std::uint64_t number) {
  if (is_number(field)) field.number = number;
  return field;
}

}  // namespace

std::optional<Field> number_field(std::string_view text, Field::Kind likely) {
  if (text.empty() || text[0] > 'F') return {};
  if (likely != Field::Kind::kName)
    if (auto field = number_of(text, likely)) return field;
  if (text.size() >= 8)
    if (auto field = number_of(text, Field::Kind::kHex)) return field;
  return number_of(text, Field::Kind::kDec);
}

void append_number(std::string& out, const Field& field) {
  const bool is_hex = field.kind == Field::Kind::kHex;
  if (is_hex && field.number >> 32 == 0) {
    const std::size_t at = out.size();
    out.resize(at + 8);
    put_digits(out.data() + at, field.number);
  } else {
    char digits[20];
    char* const end = std::to_chars(digits, digits + sizeof digits, field.number, is_hex ? 16 : 10).ptr;
    std::transform(digits, end, digits,
                   [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
    out.append(digits, end);
  }
}

Field State::predicted(char letter, const std::vector<Field>& before) const {
  const std::vector<Field>& line = last(letter);
  if (before.size() >= line.size()) return {};
  const Field& same = line[before.size()];
  if (letter == 'V') return of_area(before, same);
  if (letter == 'P') return of_counts(before, same);
  return same;
}

/// V: start, last, size, resident, prot, flags, unit, offset, …: areas often follow each other, and so do those of a file.
Field State::of_area(const std::vector<Field>& before, const Field& same) const {
  const std::vector<Field>& line = last('V');
  switch (before.size()) {
    case 0:
      return with_number(same, line.size() > 1 ? line[1].number + 1 : 0);
    case 1:
      return with_number(same, before[0].number + (line[1].number - line[0].number));
    case 2:
      return with_number(same, before[1].number - before[0].number + 1);
    case 7:
      return with_number(same,
                         line[6] == before[6] && line[7].number != 0 ? line[7].number + line[2].number : 0);
    default:
      return same;
  }
}

/// P: user, executable, read-only, single-use, shared, swapped: V: says much of it.
Field State::of_counts(const std::vector<Field>& before, const Field& same) const {
  const std::vector<Field>& area = last('V');
  if (area.size() < 6) return same;
  const std::uint64_t flags = area[5].number;
  switch (before.size()) {
    case 0:
      return with_number(same, area[3].number / page_bytes_);
    case 1:
      return with_number(same, (flags & PM_VMA_EXEC) != 0 ? before[0].number : 0);
    case 2:
      return with_number(same, (flags & PM_VMA_WRITE) != 0 ? 0 : before[0].number);
    case 3:
      return with_number(same, (flags & PM_VMA_WRITE) != 0 ? before[0].number : 0);
    case 4:
      return with_number(same, before[0].number - before[3].number);
    default:
      return with_number(same, 0);
  }
}

void State::set_last(char letter, std::vector<Field> fields) {
  constexpr std::string_view kPageSize = "page_size=";
  std::uint64_t bytes = 0;
  if (letter == 'H')
    for (const Field& field : fields)
      if (const std::string_view text = is_number(field) ? "" : std::string_view(name(field.number));
          text.starts_with(kPageSize) && parse_dec(text.substr(kPageSize.size()), bytes) &&
          std::has_single_bit(bytes))
        page_bytes_ = bytes;
  if (letter == 'V' && !fields.empty()) next_va_ = fields[0].number;
  lines_[place(letter)] = std::move(fields);
}

void State::pass(const PageRun& run) {
  next_va_ = run.va_behind(page_bytes_);
  next_frame_ = frame(run.value) + run.pages;
}

Use State::use(const PageRun& run) const {
  return {run.count, run.flags, run.value & (page_bytes_ - 1), run.value & ~kAddress};
}

std::uint64_t State::value(std::uint64_t frame, const Use& use) const {
  return frame * page_bytes_ + use.low_bits + use.high_bits;
}

std::uint64_t State::add_name(std::string name) {
  name_bytes_ += name.size();
  return names_.add(std::move(name));
}

void State::forget() {
  names_ = {};
  name_bytes_ = 0;
  for (auto& line : lines_) line.clear();
}

/// Eight nibbles to the bytes of a word, each to its digit.
void put_digits(char* at, std::uint64_t value) {
  std::uint64_t x = value & 0xFFFFFFFFu;
  x = (x | x << 16) & 0x0000FFFF0000FFFFu;
  x = (x | x << 8) & 0x00FF00FF00FF00FFu;
  x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Fu;
  const std::uint64_t letters = (x + 0x0606060606060606u) >> 4 & 0x0101010101010101u;
  x += 0x3030303030303030u + letters * ('A' - '9' - 1);
  if constexpr (std::endian::native == std::endian::little) x = __builtin_bswap64(x);
  std::memcpy(at, &x, sizeof x);
}

void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}

std::uint64_t from_zigzag(std::uint64_t value) {
  return value >> 1 ^ (0 - (value & 1));
}

}  // namespace physmem::compact
