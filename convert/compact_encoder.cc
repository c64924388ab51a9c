// SPDX-License-Identifier: MIT
#include "convert/compact_encoder.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/parse/compact_codec.h"

namespace physmem {

using namespace compact;

namespace {

bool is_letter(char c) {
  return c >= 'A' && c <= 'Z';
}

std::string_view bytes_of(const std::array<char, 4>& word) {
  return {word.data(), word.size()};
}

std::array<char, 4> word(std::uint32_t value) {
  return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16),
          static_cast<char>(value >> 24)};
}

}  // namespace

CompactEncoder::CompactEncoder(ByteSource& source, std::string name, Sink sink)
    : window_(source, std::move(name), {false, true}), sink_(std::move(sink)) {}

Status CompactEncoder::run() {
  if (Status status = sink_(kMagic); !status) return status;
  while (true) {
    while (window_.text().size() < 2) {
      const auto more = window_.fill();
      if (!more) return more.error();
      if (!*more) break;
    }
    if (window_.text().empty()) break;
    Status status = window_.text().starts_with("M:") ? entries() : line();
    if (status && block_.size() >= kBlock) status = end_block();
    if (!status) return status;
  }
  if (Status status = window_.state(); !status) return status;
  if (Status status = end_block(); !status) return status;
  return give({});
}

/// An M: line, up to its newline or to the first entry that a collector would have written in another way.
Status CompactEncoder::entries() {
  scanner_.set_page_size(state_.page_bytes());
  block_ += static_cast<char>(kEntries);
  window_.advance(2);
  for (bool is_over = false; !is_over;)
    if (Status status = scan_entries(is_over); !status) return status;
  return {};
}

Status CompactEncoder::scan_entries(bool& is_over) {
  std::string_view rest = window_.text();
  const std::string_view text = rest;
  const auto stop = scanner_.scan(rest, window_.at_end(), batch_);
  // Blanks behind the last entry may be those before another.
  const std::string_view passed = text.substr(0, text.size() - rest.size());
  const std::string_view taken = passed.substr(0, passed.rfind('|') + 1);
  if (is_codable(batch_.runs(), taken))
    for (const PageRun& run : batch_.runs()) code_run(run);
  else
    raw(taken);
  if (stop != MappingScanner::Stop::kNeedMore) raw(passed.substr(taken.size()));
  batch_.clear();
  window_.advance(stop != MappingScanner::Stop::kNeedMore ? passed.size() : taken.size());
  if (block_.size() >= kBlock)
    if (Status status = end_block(); !status) return status;
  if (stop == MappingScanner::Stop::kNeedMore) {
    const auto more = window_.fill();
    return more ? Status() : more.error();
  }
  is_over = stop != MappingScanner::Stop::kBatchFull;
  if (stop == MappingScanner::Stop::kFlaw) return line();
  if (is_over && window_.text().starts_with('\n')) {
    block_ += static_cast<char>(kNewline);
    window_.next_line();
  }
  return {};
}

/// The runs are the text, as they will be written.
bool CompactEncoder::is_codable(std::span<const PageRun> runs, std::string_view text) {
  scratch_.clear();
  for (const PageRun& run : runs) append_entries(scratch_, run, state_.page_bytes());
  if (scratch_ != text) return false;
  std::uint64_t next = state_.next_va();
  for (const PageRun& run : runs) {
    if ((run.va - next) % state_.page_bytes() != 0) return false;
    next = run.va_behind(state_.page_bytes());
  }
  return true;
}

/// A line, or what there is of one that is too long to be a record.
Status CompactEncoder::line() {
  const auto whole = window_.peek_line("");
  if (!whole && whole.error().kind != Error::Kind::kBadInput) return whole.error();
  const std::string_view text = whole ? *whole : window_.text().substr(0, kBlock);
  const bool has_newline = whole && text.size() < window_.text().size();
  const bool is_record = has_newline && text.size() > 3 && is_letter(text[0]) && text.substr(1, 2) == ": ";
  const std::vector<Field> fields = is_record ? fields_of(text) : std::vector<Field>();
  if (fields.empty()) {
    raw(has_newline ? window_.text().substr(0, text.size() + 1) : text);
  } else {
    code_line(text[0], fields);
  }
  window_.advance(text.size());
  if (has_newline) window_.next_line();
  return {};
}

/// Nothing when there are more than kMostFields.
std::vector<Field> CompactEncoder::fields_of(std::string_view text) {
  if (static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) >= kMostFields) return {};
  if (!state_.name_fits(text.size())) {
    block_ += static_cast<char>(kForget);
    state_.forget();
    given_ = state_.names();
  }
  const std::vector<Field>& last = state_.last(text[0]);
  std::vector<Field> fields;
  for (std::size_t from = 3; from <= text.size();) {
    const std::size_t end = std::min(text.find(", ", from), text.size());
    const auto likely = fields.size() < last.size() ? last[fields.size()].kind : Field::Kind::kName;
    const std::string_view field = text.substr(from, end - from);
    const auto number = number_field(field, likely);
    fields.push_back(number ? *number : Field{Field::Kind::kName, name_of(std::string(field))});
    from = end + 2;
  }
  return fields;
}

std::uint64_t CompactEncoder::name_of(std::string name) {
  const auto known = state_.find_name(name);
  return known ? *known : state_.add_name(std::move(name));
}

void CompactEncoder::code_line(char letter, const std::vector<Field>& fields) {
  if (fields.size() == state_.last(letter).size()) {
    block_ += static_cast<char>(kLine + 2 * (letter - 'A'));
  } else {
    block_ += static_cast<char>(kNewLine);
    block_ += letter;
    put_number(block_, fields.size());
    state_.set_last(letter, {});
  }
  std::uint64_t changed = 0;
  std::vector<Field> before;
  std::vector<Field> predicted;
  for (const Field& field : fields) {
    predicted.push_back(state_.predicted(letter, before));
    if (predicted.back() != field) changed |= std::uint64_t{1} << before.size();
    before.push_back(field);
  }
  put_number(block_, changed);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if ((changed >> i & 1) != 0) code_field(fields[i], predicted[i]);
  state_.set_last(letter, std::move(before));
}

void CompactEncoder::code_field(const Field& field, const Field& predicted) {
  const auto put = [this](FieldForm form, std::uint64_t number) {
    const bool is_long = number >= kLongNumber;
    put_number(block_, (is_long ? kLongNumber : number) << 2 | static_cast<std::uint64_t>(form));
    if (is_long) put_number(block_, number);
  };
  if (field.kind != Field::Kind::kName) {
    if (field.kind == predicted.kind)
      put(FieldForm::kDifference, zigzag(field.number - predicted.number));
    else
      put(field.kind == Field::Kind::kHex ? FieldForm::kHex : FieldForm::kDec, field.number);
    return;
  }
  put(FieldForm::kName, field.number);
  if (field.number != given_) return;
  ++given_;
  put_number(block_, state_.name(field.number).size());
  block_ += state_.name(field.number);
}

void CompactEncoder::code_run(const PageRun& run) {
  const std::uint64_t gap = (run.va - state_.next_va()) / state_.page_bytes();
  const std::uint64_t jump = zigzag(state_.frame(run.value) - state_.next_frame());
  const Use use = state_.use(run);
  const bool is_other = !has_use_ || use != use_;
  const std::uint64_t more = run.pages - 1;
  const std::uint64_t size = std::min<std::uint64_t>(more, kMorePages);
  block_ += static_cast<char>(kRun | (gap != 0 ? kGap : 0) | (jump != 0 ? kElsewhere : 0) |
                              (is_other ? kOtherUse : 0) | static_cast<int>(size << kPagesShift));
  if (gap != 0) put_number(block_, gap);
  if (jump != 0) put_number(block_, jump);
  use_ = use;
  has_use_ = true;
  if (is_other) code_use();
  if (size == kMorePages) put_number(block_, more - kMorePages);
  state_.pass(run);
}

void CompactEncoder::code_use() {
  const auto known = state_.uses.find(use_);
  const bool is_known = known && *known != 0;
  put_number(block_, is_known ? *known : 0);
  if (is_known) return;
  for (const std::uint64_t number : {use_.count, use_.flags, use_.low_bits, use_.high_bits})
    put_number(block_, number);
  if (state_.uses.size() < kMostUses) state_.uses.add(use_);
}

void CompactEncoder::raw(std::string_view text) {
  if (text.empty()) return;
  block_ += static_cast<char>(kRaw);
  put_number(block_, text.size());
  block_ += text;
}

Status CompactEncoder::end_block() {
  if (block_.empty()) return {};
  Status status = give(block_);
  block_.clear();
  return status;
}

Status CompactEncoder::give(std::string_view payload) {
  const uLong sum = payload.empty() ? 0
                                    : crc32(0, reinterpret_cast<const Bytef*>(payload.data()),
                                            static_cast<uInt>(payload.size()));
  for (const auto& head :
       {word(static_cast<std::uint32_t>(payload.size())), word(static_cast<std::uint32_t>(sum))})
    if (Status status = sink_(bytes_of(head)); !status) return status;
  return payload.empty() ? Status() : sink_(payload);
}

}  // namespace physmem
