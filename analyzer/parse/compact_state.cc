// SPDX-License-Identifier: MIT
#include "analyzer/parse/compact_state.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <utility>

#include "analyzer/parse/line_cursor.h"
#include "formats/emit/flags.h"

namespace physmem::compact {
namespace {

bool is_number(const Field& field) {
  return field.kind != Field::Kind::kText;
}

std::string text_of(const Field& field) {
  std::string text;
  append(text, field);
  return text;
}

std::optional<Field> number_of(std::string_view text, Field::Kind kind) {
  Field field{kind, 0, {}};
  const bool is_hex = kind == Field::Kind::kHex;
  if (text.empty() || !(is_hex ? parse_hex(text, field.number) : parse_dec(text, field.number))) return {};
  if (text_of(field) != text) return {};
  return field;
}

/// The same field with another number, where it is one.
Field with_number(Field field, std::uint64_t number) {
  if (is_number(field)) field.number = number;
  return field;
}

}  // namespace

Field field_of(std::string_view text, Field::Kind likely) {
  if (likely != Field::Kind::kText)
    if (auto field = number_of(text, likely)) return *field;
  if (text.size() >= 8)
    if (auto field = number_of(text, Field::Kind::kHex)) return *field;
  if (auto field = number_of(text, Field::Kind::kDec)) return *field;
  return {Field::Kind::kText, 0, std::string(text)};
}

void append(std::string& out, const Field& field) {
  switch (field.kind) {
    case Field::Kind::kText:
      out += field.text;
      break;
    case Field::Kind::kHex:
      fmt::format_to(std::back_inserter(out), "{:08X}", field.number);
      break;
    case Field::Kind::kDec:
      fmt::format_to(std::back_inserter(out), "{}", field.number);
      break;
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
      if (field.text.starts_with(kPageSize) &&
          parse_dec(std::string_view(field.text).substr(kPageSize.size()), bytes) &&
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
