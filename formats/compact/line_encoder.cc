// SPDX-License-Identifier: MIT The part of Encoder that encodes lines of fields.
#include <bit>
#include <charconv>

#include "formats/compact/encoder.h"
#include "formats/compact/number.h"

namespace physmem::compact {
namespace {

/// Splits at ", ". Returns false if there are more fields than kMaxFields.
bool split(std::string_view text, std::vector<std::string_view>& fields) {
  fields.clear();
  while (fields.size() < kMaxFields) {
    const std::size_t comma = text.find(", ");
    fields.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 2);
  }
  return false;
}

}  // namespace

bool Encoder::line(bool is_final) {
  const std::string_view text = rest_.substr(0, kMaxLine);
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) {
    if (text.size() < kMaxLine && !is_final) return false;
    raw(text.size());
  } else if (record(text.substr(0, newline))) {
    take(newline + 1);
  } else {
    raw(newline + 1);
  }
  return true;
}

/// Returns false, and writes nothing, if the line is not a record.
bool Encoder::record(std::string_view text) {
  if (text.size() < 3 || text[0] < 'A' || text[0] > 'Z' || text[1] != ':' || text[2] != ' ')
    return false;
  if (!split(text.substr(3), texts_)) return false;
  if (state_.names() + kMaxFields > kMaxNames || !state_.has_room_for_name(text.size())) reset();
  if (text[0] == 'H') note_page_size(text);
  put_line(text[0]);
  return true;
}

void Encoder::note_page_size(std::string_view text) {
  constexpr std::string_view kKey = ", page_size=";
  const std::size_t at = text.find(kKey);
  if (at == std::string_view::npos) return;
  std::uint64_t bytes = 0;
  std::from_chars(text.data() + at + kKey.size(), text.data() + text.size(), bytes);
  if (!std::has_single_bit(bytes) || bytes >> kMaxPageShift > 1) return;
  const auto shift = static_cast<unsigned>(std::countr_zero(bytes));
  if (shift == state_.page_shift()) return;
  put(kPageShift);
  put_number(payload_, shift);
  state_.set_page_shift(shift);
}

void Encoder::put_line(char letter) {
  if (state_.last(letter).size() != texts_.size()) {
    put(kShape);
    payload_ += letter;
    put_number(payload_, texts_.size());
    state_.set_shape(letter, texts_.size());
  }
  std::vector<Field> fields;
  fields.reserve(texts_.size());
  fields_.clear();
  std::uint64_t changed = 0;
  for (const std::string_view text : texts_) {
    const Field predicted = state_.predicted(letter, fields);
    const Field field = field_of(text, predicted);
    if (field != predicted) {
      changed |= std::uint64_t{1} << fields.size();
      put_field(letter, field, predicted, text);
    }
    fields.push_back(field);
  }
  put(static_cast<Item>(kLine + 2 * (letter - 'A')));
  put_number(payload_, changed);
  payload_ += fields_;
  state_.set_last(letter, fields);
}

/// A new name gets the number one above the last name.
Field Encoder::field_of(std::string_view text, const Field& predicted) const {
  if (!predicted.is_number() && state_.name(predicted.number) == text) return predicted;
  if (const auto number = number_field(text, predicted.kind)) return *number;
  if (text.empty()) return {};
  const std::uint64_t known = index_.find_name(text);
  return {Field::Kind::kName, known != 0 ? known : state_.names()};
}

void Encoder::put_field(char letter, const Field& field, const Field& predicted,
                        std::string_view text) {
  auto form = FieldForm::kName;
  std::uint64_t number = field.number;
  if (field.is_number()) {
    const std::uint64_t difference = field.number - predicted.number;
    const unsigned shift = state_.unit_shift(letter, predicted);
    const bool is_near = field.kind == predicted.kind && difference >> shift << shift == difference;
    form = is_near ? FieldForm::kDifference
                   : (field.kind == Field::Kind::kHex ? FieldForm::kHex : FieldForm::kDec);
    if (is_near)
      number = zigzag(static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> shift));
  }
  const bool is_long = number >= kLongNumber;
  put_number(fields_, (is_long ? kLongNumber : number) << 2 | static_cast<std::uint64_t>(form));
  if (is_long) put_number(fields_, number);
  if (form != FieldForm::kName || number != state_.names()) return;
  put_number(fields_, text.size());
  fields_ += text;
  index_.add_name(text, number);
  state_.add_name(text);
}

}  // namespace physmem::compact
