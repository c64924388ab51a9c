// SPDX-License-Identifier: MIT
#include "formats/compact/decoder.h"

#include <cstring>
#include <utility>

#include "formats/compact/number.h"

namespace physmem::compact {

std::string Decoder::decode(std::string_view payload, char* out, std::size_t text_bytes,
                            RunTaker* taker) {
  taker_ = taker;
  in_ = payload.data();
  in_end_ = in_ + payload.size();
  begin_ = at_ = out;
  end_ = out + text_bytes;
  bool is_good = true;
  while (is_good && in_ != in_end_) is_good = item();
  if (is_good && at_ != end_) fail("it holds less text than its header states");
  return error_;
}

bool Decoder::fail(const char* what) {
  error_ = what;
  return false;
}

/// On entry `value` is the first byte.
bool Decoder::rest_of_number(std::uint64_t& value) {
  const char* at = in_;
  std::uint64_t number = value & 0x7F;
  for (unsigned shift = 7; shift < 64 && at != in_end_; shift += 7) {
    const auto next = static_cast<std::uint8_t>(*at++);
    const std::uint64_t bits = next & 0x7Fu;
    if (bits << shift >> shift != bits) break;
    number |= bits << shift;
    if ((next & 0x80) != 0) continue;
    in_ = at;
    value = number;
    return true;
  }
  return fail("a number is not terminated, or needs more than 64 bits");
}

bool Decoder::bytes(std::string_view& text) {
  std::uint64_t size = 0;
  if (!number(size)) return false;
  if (size > static_cast<std::size_t>(in_end_ - in_))
    return fail("a text goes beyond the end of the block");
  text = {in_, static_cast<std::size_t>(size)};
  in_ += size;
  return true;
}

bool Decoder::put(std::string_view text) {
  if (text.size() > static_cast<std::size_t>(end_ - at_))
    return fail("it holds more text than its header states");
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
  if (!text.empty()) is_line_begin_ = text.back() == '\n';
  is_list_ = false;
  return true;
}

bool Decoder::item() {
  std::uint8_t head = 0;
  if (!byte(head)) return false;
  if ((head & kRun) != 0) return run(head);
  constexpr std::uint8_t kLastLine = kLine + 2 * ('Z' - 'A');
  if (head >= kLine && head <= kLastLine) return line(static_cast<char>('A' + (head - kLine) / 2));
  std::string_view text;
  switch (head) {
    case kRaw:
      return bytes(text) && put(text);
    case kResident:
      return resident();
    case kSwapped:
      list_ = List::kSwapped;
      return put("S:");
    case kListEnd:
      return put("\n");
    case kReset:
      state_.reset();
      return true;
    case kPageShift:
      return page_shift();
    case kShape:
      return shape();
    case kRepeat:
      return repeat();
    default:
      return fail("it has an item of unknown kind");
  }
}

bool Decoder::resident() {
  const bool is_line = is_line_begin_;
  list_ = List::kResident;
  if (!put("M:")) return false;
  is_list_ = is_line;
  return true;
}

bool Decoder::page_shift() {
  std::uint64_t shift = 0;
  if (!number(shift)) return false;
  if (shift > kMaxPageShift) return fail("its pages are too large");
  state_.set_page_shift(static_cast<unsigned>(shift));
  return true;
}

bool Decoder::shape() {
  std::uint8_t letter = 0;
  std::uint64_t fields = 0;
  if (!byte(letter) || !number(fields)) return false;
  if (letter < 'A' || letter > 'Z') return fail("a line does not begin with a letter");
  if (fields == 0 || fields > kMaxFields) return fail("a line has no field, or too many");
  state_.set_shape(static_cast<char>(letter), static_cast<std::size_t>(fields));
  return true;
}

bool Decoder::line(char letter) {
  if (!fields(letter) || !write_line(letter)) return false;
  state_.set_last(letter, fields_);
  return true;
}

bool Decoder::fields(char letter) {
  const std::size_t count = state_.last(letter).size();
  if (count == 0) return fail("a line has no earlier line with its letter");
  std::uint64_t changed = 0;
  if (!number(changed)) return false;
  if (count < kMaxFields && changed >> count != 0) return fail("a line lacks a field that changes");
  fields_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    Field next = state_.predicted(letter, fields_);
    if ((changed >> i & 1) != 0 && !field(letter, next)) return false;
    fields_.push_back(next);
  }
  return true;
}

/// Reads a field that differs from its prediction.
bool Decoder::field(char letter, Field& field) {
  std::uint64_t coded = 0;
  if (!number(coded)) return false;
  std::uint64_t value = coded >> 2;
  if (value == kLongNumber && !number(value)) return false;
  switch (static_cast<FieldForm>(coded & 3)) {
    case FieldForm::kDifference:
      if (!field.is_number()) return fail("a name is encoded as a difference");
      field.number += from_zigzag(value) << state_.unit_shift(letter, field);
      return true;
    case FieldForm::kHex:
      field = {Field::Kind::kHex, value};
      return true;
    case FieldForm::kDec:
      field = {Field::Kind::kDec, value};
      return true;
    case FieldForm::kName:
      break;
  }
  field = {Field::Kind::kName, value};
  return name(value);
}

/// A number one above the last known name announces a new name, which follows.
bool Decoder::name(std::uint64_t number) {
  if (number < state_.names()) return true;
  if (number > state_.names()) return fail("a name is unknown");
  std::string_view text;
  if (!bytes(text)) return false;
  if (!state_.has_room_for_name(text.size())) return fail("it has too many names");
  state_.add_name(text);
  return true;
}

bool Decoder::write_line(char letter) {
  constexpr std::size_t kMaxOfNumber = 3 + kMaxDigits;  // with its separator
  static_assert(kMaxOfNumber < kSlack);
  const char* before = ": ";
  *at_++ = letter;
  for (const Field& field : fields_) {
    if (at_ > end_) break;
    std::memcpy(at_, before, 2);
    at_ += 2;
    before = ", ";
    if (field.is_number())
      at_ = write_number(at_, field);
    else if (at_ > end_ || !put(state_.name(field.number)))
      break;
  }
  return at_ <= end_ ? put("\n") : fail("it holds more text than its header states");
}

bool Decoder::run(std::uint8_t head) {
  const State::Next& next = state_.next(list_);
  PastRun run{0, 0, 0, next.use, (head & kDown) != 0};
  std::uint64_t jump = 0;
  std::uint64_t more = std::uint64_t{head} >> kPagesBits;
  if ((head & kGap) != 0 && !number(run.gap)) return false;
  if ((head & kJump) != 0 && !number(jump)) return false;
  if ((head & kOtherUse) != 0 && !use(run.use)) return false;
  if (more == kMorePages) {
    if (!number(more)) return false;
    if (more > kMaxText) return fail("it holds more text than its header states");
    more += kMorePages;
  }
  run.pages = static_cast<std::uint32_t>(more + 1);
  run.place = next.place + from_zigzag(jump);
  return write_run(run);
}

bool Decoder::repeat() {
  std::uint64_t runs = 0;
  if (!number(runs)) return false;
  RunHistory& history = state_.history();
  history.begin_repeat(history.distance());
  for (; runs != 0; --runs) {
    const PastRun* const expected = history.back(history.last_distance());
    if (expected == nullptr) return fail("it repeats an unknown run");
    if (!write_run(PastRun(*expected))) return false;
  }
  return true;
}

bool Decoder::use(std::uint16_t& place) {
  std::uint64_t index = 0;
  if (!number(index)) return false;
  if (index >= state_.uses()) return fail("a use of pages is unknown");
  place = static_cast<std::uint16_t>(index != 0 ? index : state_.uses());
  if (index != 0) return true;
  Use use;
  if (!number(use.count)) return false;
  if (list_ == List::kResident &&
      (!number(use.flags) || !number(use.low_bits) || !number(use.high_bits)))
    return false;
  if (!state_.has_room_for_use()) return fail("it has too many uses of pages");
  state_.add_use(use);
  return true;
}

bool Decoder::write_run(const PastRun& run) {
  const std::uint64_t va = state_.next(list_).va + (run.gap << state_.page_shift());
  const Run whole{list_, va, run.place, run.pages, run.is_down, state_.use(run.use)};
  const bool is_given = taker_ != nullptr && is_list_ && give_run(whole);
  if (!is_given) {
    entry_.set(whole, state_.page_shift());
    char* const end = entry_.write(at_, end_, run.pages);
    if (end == nullptr) return fail("it holds more text than its header states");
    at_ = end;
    is_line_begin_ = false;
  }
  state_.pass(list_, run);
  return true;
}

/// Returns false if the entries must be written as text.
bool Decoder::give_run(const Run& run) {
  const auto room = static_cast<std::size_t>(end_ - at_);
  if (run.pages > room / EntryText::kMin) return false;
  const std::uint64_t bytes = text_bytes(run, state_.page_shift());
  if (bytes > room || !taker_->take(run, state_.page_shift(), produced(), bytes)) return false;
  end_ -= bytes;
  return true;
}

}  // namespace physmem::compact
