// SPDX-License-Identifier: MIT
#include "analyzer/parse/compact_codec.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

#include "analyzer/parse/compact_state.h"

namespace physmem {
namespace compact {
namespace {

constexpr std::size_t kLongestEntry = 96;

/// Eight digits or more, as pm_emit_pages() writes them.
char* put_hex(char* at, std::uint64_t value) {
  char digits[16];
  put_digits(digits, value >> 32);
  put_digits(digits + 8, value);
  const std::size_t width =
      std::max<std::size_t>(8, (static_cast<std::size_t>(std::bit_width(value)) + 3) / 4);
  std::memcpy(at, digits + 16 - width, width);
  return at + width;
}

char* put_entry(char* at, std::uint64_t va, std::uint64_t value, const PageRun& run) {
  *at++ = ' ';
  at = put_hex(at, va);
  *at++ = '=';
  at = put_hex(at, value);
  *at++ = ',';
  *at++ = ' ';
  at = std::to_chars(at, at + kLongestEntry, run.count).ptr;
  *at++ = ',';
  *at++ = ' ';
  at = put_hex(at, run.flags);
  *at++ = ' ';
  *at++ = '|';
  return at;
}

}  // namespace

/// The first is written digit by digit; those behind it are copies with other last digits, unless an address gets over
/// 4 GiB within the run.
void append_entries(std::string& out, const PageRun& run, std::uint64_t page_bytes) {
  char entry[kLongestEntry];
  const auto length = static_cast<std::size_t>(put_entry(entry, run.va, run.value, run) - entry);
  const std::uint64_t last_va = run.va_behind(page_bytes) - page_bytes;
  const std::uint64_t last_value = run.value_behind(page_bytes) - page_bytes;
  if (run.va >> 32 != last_va >> 32 || run.value >> 32 != last_value >> 32) {
    for (std::uint64_t i = 0; i < run.pages; ++i)
      out.append(entry, put_entry(entry, run.va + i * page_bytes, run.value + i * page_bytes, run));
    return;
  }
  char* const va_digits = std::find(entry, entry + length, '=') - 8;
  char* const value_digits = std::find(entry, entry + length, ',') - 8;
  out.append(entry, length);
  for (std::uint64_t i = 1; i < run.pages; ++i) {
    put_digits(va_digits, run.va + i * page_bytes);
    put_digits(value_digits, run.value + i * page_bytes);
    out.append(entry, length);
  }
}

namespace {

/// The items of one block after the other to text. What is wrong ends it.
class Decoder {
 public:
  /// Takes a block's bytes; the ones before are used up.
  void begin_block(std::string payload) {
    payload_ = std::move(payload);
    at_ = 0;
  }
  /// Some more text, if there is any left in the block. False, with error(), for what cannot be.
  bool more(std::string& out);
  bool block_is_over() const { return at_ == payload_.size() && run_.pages == 0; }
  const std::string& error() const { return error_; }

 private:
  static constexpr std::uint64_t kPagesAtOnce = 1024;

  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }
  bool byte(std::uint8_t& value);
  bool number(std::uint64_t& value);
  bool bytes(std::string& text);
  bool item(std::string& out);
  bool line(char letter, std::size_t fields, std::string& out);
  bool field(Field& field);
  bool run(std::uint8_t head);
  bool use();
  void entries(std::string& out);

  std::string payload_;
  std::size_t at_ = 0;
  std::string error_;
  State state_;
  PageRun run_;  ///< what is left of it
  Use use_;
};

bool Decoder::byte(std::uint8_t& value) {
  if (at_ == payload_.size()) return fail("a block ends within an item");
  value = static_cast<std::uint8_t>(payload_[at_++]);
  return true;
}

bool Decoder::number(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t next = 0;
    if (!byte(next)) return false;
    value |= std::uint64_t{next & 0x7Fu} << shift;
    if ((next & 0x80) == 0) return true;
  }
  return fail("a number is longer than 64 bits");
}

bool Decoder::bytes(std::string& text) {
  std::uint64_t size = 0;
  if (!number(size)) return false;
  if (size > payload_.size() - at_) return fail("a text goes over the end of its block");
  text.assign(payload_, at_, size);
  at_ += size;
  return true;
}

bool Decoder::more(std::string& out) {
  if (run_.pages == 0 && !item(out)) return false;
  entries(out);
  return true;
}

bool Decoder::item(std::string& out) {
  std::uint8_t head = 0;
  if (!byte(head)) return false;
  if ((head & kRun) != 0) return run(head);
  switch (head) {
    case kRaw: {
      std::string text;
      if (!bytes(text)) return false;
      out += text;
      return true;
    }
    case kEntries:
      out += "M:";
      return true;
    case kNewline:
      out += '\n';
      return true;
    case kForget:
      state_.forget();
      return true;
    case kNewLine: {
      std::uint8_t letter = 0;
      std::uint64_t fields = 0;
      if (!byte(letter) || !number(fields)) return false;
      if (letter < 'A' || letter > 'Z' || fields > kMostFields) return fail("a line that cannot be");
      state_.set_last(static_cast<char>(letter), {});
      return line(static_cast<char>(letter), fields, out);
    }
    default:
      break;
  }
  if (head < kLine || head >= kLine + 2 * 26) return fail(fmt::format("an item of kind {}", head));
  const char letter = static_cast<char>('A' + (head - kLine) / 2);
  return line(letter, state_.last(letter).size(), out);
}

bool Decoder::line(char letter, std::size_t count, std::string& out) {
  std::uint64_t changed = 0;
  if (!number(changed)) return false;
  std::vector<Field> fields;
  fields.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Field next = state_.predicted(letter, fields);
    if ((changed >> i & 1) != 0 && !field(next)) return false;
    fields.push_back(next);
  }
  out += letter;
  out += ':';
  for (std::size_t i = 0; i < count; ++i) {
    out += i == 0 ? " " : ", ";
    if (fields[i].kind == Field::Kind::kName)
      out += state_.name(fields[i].number);
    else
      append_number(out, fields[i]);
  }
  out += '\n';
  state_.set_last(letter, std::move(fields));
  return true;
}

/// What is not as it was predicted.
bool Decoder::field(Field& field) {
  std::uint64_t coded = 0;
  if (!number(coded)) return false;
  const auto form = static_cast<FieldForm>(coded & 3);
  // Differences and numbers have a number of their own, for 62 bits would not do.
  std::uint64_t number_itself = coded >> 2;
  if (number_itself == kLongNumber && !number(number_itself)) return false;
  switch (form) {
    case FieldForm::kDifference:
      if (field.kind == Field::Kind::kName) return fail("a difference to a name");
      field.number += from_zigzag(number_itself);
      return true;
    case FieldForm::kHex:
      field = {Field::Kind::kHex, number_itself};
      return true;
    case FieldForm::kDec:
      field = {Field::Kind::kDec, number_itself};
      return true;
    case FieldForm::kName:
      break;
  }
  if (number_itself > state_.names()) return fail("a name that was not given");
  field = {Field::Kind::kName, number_itself};
  if (number_itself != state_.names()) return true;
  std::string name;
  if (!bytes(name)) return false;
  if (!state_.name_fits(name.size())) return fail("more names than may be");
  state_.add_name(std::move(name));
  return true;
}

bool Decoder::use() {
  std::uint64_t index = 0;
  if (!number(index)) return false;
  if (index >= state_.uses.size()) return fail("a use of pages that was not given");
  if (index != 0) {
    use_ = state_.uses[index];
    return true;
  }
  if (!number(use_.count) || !number(use_.flags) || !number(use_.low_bits) || !number(use_.high_bits))
    return false;
  if (state_.uses.size() < kMostUses) state_.uses.add(use_);
  return true;
}

bool Decoder::run(std::uint8_t head) {
  std::uint64_t gap = 0;
  std::uint64_t jump = 0;
  std::uint64_t pages = std::uint64_t{head} >> kPagesShift;
  if ((head & kGap) != 0 && !number(gap)) return false;
  if ((head & kElsewhere) != 0 && !number(jump)) return false;
  if ((head & kOtherUse) != 0 && !use()) return false;
  if (pages == kMorePages) {
    if (!number(pages)) return false;
    pages += kMorePages;
  }
  const std::uint64_t frame = state_.next_frame() + from_zigzag(jump);
  run_ = {state_.next_va() + gap * state_.page_bytes(), state_.value(frame, use_), pages + 1, use_.count,
          use_.flags};
  state_.pass(run_);
  return true;
}

/// So many that `out` does not become long: a run may be as long as somebody says.
void Decoder::entries(std::string& out) {
  if (run_.pages == 0) return;
  PageRun now = run_;
  now.pages = std::min(run_.pages, kPagesAtOnce);
  append_entries(out, now, state_.page_bytes());
  run_.va = now.va_behind(state_.page_bytes());
  run_.value = now.value_behind(state_.page_bytes());
  run_.pages -= now.pages;
}

class CompactCodec : public Codec {
 public:
  Step step(std::string_view in, char* out, std::size_t out_size) override {
    Step step;
    while (step.error.empty() && !step.finished && step.produced != out_size) {
      if (given_ != text_.size()) {
        const std::size_t n = std::min(out_size - step.produced, text_.size() - given_);
        std::memcpy(out + step.produced, text_.data() + given_, n);
        given_ += n;
        step.produced += n;
        continue;
      }
      text_.clear();
      given_ = 0;
      if (!decoder_->block_is_over()) {
        if (!decoder_->more(text_)) step.error = decoder_->error();
        continue;
      }
      if (!gather(in.substr(step.consumed), step)) break;
    }
    return step;
  }
  void restart() override {
    decoder_.emplace();
    has_magic_ = false;
    input_.clear();
  }

 private:
  bool gather(std::string_view in, Step& step);
  bool take_block(Step& step);
  std::size_t missing() const;

  std::optional<Decoder> decoder_{std::in_place};
  bool has_magic_ = false;
  std::string input_;  ///< of a block that is not whole
  std::string text_;
  std::size_t given_ = 0;
};

std::uint32_t word(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

/// Of the next block, or of its head.
std::size_t CompactCodec::missing() const {
  const std::size_t whole = input_.size() < kBlockHead ? kBlockHead : kBlockHead + word(input_);
  return whole - input_.size();
}

/// True when there is something to do: a block, its error, the end.
bool CompactCodec::take_block(Step& step) {
  if (input_.size() < kBlockHead) return false;
  const std::size_t size = word(input_);
  step.finished = size == 0;
  if (size > kMostPayload) step.error = fmt::format("a block of {} bytes, more than {}", size, kMostPayload);
  if (!step.error.empty() || step.finished) return true;
  if (input_.size() < kBlockHead + size) return false;
  const std::string_view payload = std::string_view(input_).substr(kBlockHead);
  if (crc32(0, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(size)) !=
      word(input_.substr(4)))
    step.error = "a block was changed: its checksum is another";
  decoder_->begin_block(std::string(payload));
  input_.clear();
  return true;
}

/// Bytes of the next block, as long as there are some. False when they are not enough.
bool CompactCodec::gather(std::string_view in, Step& step) {
  while (true) {
    if (!has_magic_ && input_.size() == kMagic.size()) {
      if (input_ != kMagic) step.error = "no snapshot in compact form begins here";
      has_magic_ = true;
      input_.clear();
    }
    if (!step.error.empty() || (has_magic_ && take_block(step))) return true;
    if (in.empty()) return false;
    const std::size_t n = std::min(in.size(), has_magic_ ? missing() : kMagic.size() - input_.size());
    input_.append(in.substr(0, n));
    in.remove_prefix(n);
    step.consumed += n;
  }
}

}  // namespace
}  // namespace compact

std::unique_ptr<Codec> compact_codec() {
  return std::make_unique<compact::CompactCodec>();
}

}  // namespace physmem
