// SPDX-License-Identifier: MIT
#include "formats/compact/encoder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "formats/compact/checksum.h"
#include "formats/compact/number.h"

namespace physmem::compact {
void Encoder::write(std::string_view text, std::string& out) {
  pending_ += text;
  encode(false, out);
  pending_.erase(0, pending_.size() - rest_.size() - block_bytes_);
}

void Encoder::finish(std::string& out) {
  encode(true, out);
  end_block(out);
  give({}, out);
}

void Encoder::encode(bool is_final, std::string& out) {
  rest_ = std::string_view(pending_).substr(block_bytes_);
  while (!rest_.empty() && item(is_final))
    if (is_block_full()) end_block(out);
}

/// Returns false if more text is needed to decide.
bool Encoder::item(bool is_final) {
  if (is_in_list_) return entries(is_final);
  if (rest_.size() < 2 && !is_final) return false;
  if (rest_.starts_with("M:")) return begin_list(List::kResident), true;
  if (rest_.starts_with("S:")) return begin_list(List::kSwapped), true;
  return line(is_final);
}

void Encoder::begin_list(List list) {
  is_in_list_ = true;
  list_ = list;
  put(list == List::kResident ? kResident : kSwapped);
  take(2);
}

/// Takes all available entries of the current run, and the first one of the next run.
bool Encoder::entries(bool is_final) {
  while (run_.pages != 0 && entry_.begins(rest_)) {
    take_entry();
    if (block_bytes_ >= kEnough) return true;
  }
  if (rest_.size() < EntryText::kMax && !is_final) return false;
  if (descends()) return true;
  end_run();
  return begin_run() || other_entry(is_final);
}

void Encoder::take_entry() {
  ++run_.pages;
  take(entry_.size());
  entry_.next();
}

/// The second page of a run decides whether its frames ascend or descend. If they do neither, the
/// run has ended and entry_ is invalid.
bool Encoder::descends() {
  if (run_.pages != 1) return false;
  run_.is_down = true;
  entry_.set(run_, state_.page_shift());
  entry_.next();
  run_.is_down = entry_.begins(rest_);
  if (run_.is_down) take_entry();
  return run_.is_down;
}

bool Encoder::begin_run() {
  const auto run = parse_entry(list_, rest_, state_.page_shift(), entry_);
  if (!run) return false;
  const std::uint64_t within_page = (std::uint64_t{1} << state_.page_shift()) - 1;
  if (((run->va - state_.next(list_).va) & within_page) != 0) return false;
  run_ = *run;
  take(entry_.size());
  entry_.next();
  return true;
}

/// Takes the end of the list, or text that is not an entry as collectors write it.
bool Encoder::other_entry(bool is_final) {
  if (rest_.starts_with('\n')) {
    is_in_list_ = false;
    put(kListEnd);
    take(1);
    return true;
  }
  const std::string_view text = rest_.substr(0, kMaxLine);
  const std::size_t end = text.find_first_of("|\n");
  if (end == std::string_view::npos && text.size() < kMaxLine && !is_final) return false;
  raw(end == std::string_view::npos ? text.size() : text[end] == '|' ? end + 1 : end);
  return true;
}

void Encoder::end_run() {
  const Run run = std::exchange(run_, {});
  if (run.pages == 0) return;
  if (!state_.has_room_for_use()) reset();
  const PastRun now = relative(run);
  if (is_repeat(now))
    ++repeated_;
  else
    put_run(now);
  state_.pass(list_, now);
}

/// True if the run belongs to the current repeat or begins one.
bool Encoder::is_repeat(const PastRun& run) {
  RunHistory& history = state_.history();
  const auto is_at = [&](std::uint64_t distance) {
    const PastRun* const past = history.back(distance);
    return past != nullptr && *past == run;
  };
  if (repeated_ != 0 && is_at(history.last_distance())) return true;
  end_repeat();
  const std::uint64_t distance = history.distance();
  if (!is_at(distance)) return false;
  history.begin_repeat(distance);
  return true;
}

/// Converts the run to relative form. A new use is added to the dictionary.
PastRun Encoder::relative(const Run& run) {
  const State::Next& next = state_.next(list_);
  std::uint64_t use = state_.use(next.use) == run.use ? next.use : index_.find_use(run.use);
  // 0 announces a new use.
  if (state_.use(use) != run.use || (use == 0 && next.use != 0)) {
    use = state_.uses();
    index_.add_use(run.use, use);
    state_.add_use(run.use);
  }
  return {(run.va - next.va) >> state_.page_shift(), run.place,
          static_cast<std::uint32_t>(run.pages), static_cast<std::uint16_t>(use), run.is_down};
}

void Encoder::put_run(const PastRun& run) {
  end_repeat();
  const State::Next& next = state_.next(list_);
  const std::uint64_t jump = zigzag(run.place - next.place);
  const std::uint64_t more = run.pages - 1u;
  const std::uint64_t pages = std::min(more, kMorePages);
  payload_ += static_cast<char>(kRun | (run.gap != 0 ? kGap : 0) | (jump != 0 ? kJump : 0) |
                                (run.use != next.use ? kOtherUse : 0) | (run.is_down ? kDown : 0) |
                                static_cast<int>(pages << kPagesBits));
  if (run.gap != 0) put_number(payload_, run.gap);
  if (jump != 0) put_number(payload_, jump);
  if (run.use != next.use) put_use(run.use);
  if (pages == kMorePages) put_number(payload_, more - kMorePages);
}

void Encoder::put_use(std::uint64_t number) {
  const bool is_new = number == given_uses_;
  put_number(payload_, is_new ? 0 : number);
  if (!is_new) return;
  ++given_uses_;
  const Use& use = state_.use(number);
  put_number(payload_, use.count);
  if (list_ == List::kResident)
    for (const std::uint64_t part : {use.flags, use.low_bits, use.high_bits})
      put_number(payload_, part);
}

void Encoder::end_repeat() {
  const std::uint64_t runs = std::exchange(repeated_, 0);
  if (runs == 0) return;
  payload_ += static_cast<char>(kRepeat);
  put_number(payload_, runs);
}

void Encoder::put(Item item) {
  end_repeat();
  payload_ += static_cast<char>(item);
}

void Encoder::raw(std::size_t bytes) {
  put(kRaw);
  put_number(payload_, bytes);
  payload_ += rest_.substr(0, bytes);
  take(bytes);
}

void Encoder::reset() {
  put(kReset);
  state_.reset();
  index_.reset();
  given_uses_ = state_.uses();
}

void Encoder::end_block(std::string& out) {
  end_run();
  end_repeat();
  if (block_bytes_ == 0) return;
  give({rest_.data() - block_bytes_, block_bytes_}, out);
  payload_.clear();
  block_bytes_ = 0;
}

/// Appends a block; a block without text is the end of the stream.
void Encoder::give(std::string_view text, std::string& out) {
  if (!std::exchange(has_begun_, true)) out += kMagic;
  const auto text_bytes = static_cast<std::uint32_t>(text.size());
  checksum_ = block_checksum(checksum_, text_bytes, payload_);
  char head[kHeadBytes];
  put_word(head, static_cast<std::uint32_t>(payload_.size()));
  put_word(head + 4, text_bytes);
  put_word(head + 8, checksum_);
  out.append(head, sizeof head);
  out += payload_;
  verify(text);
}

void Encoder::verify(std::string_view text) {
  decoded_.resize(text.size() + Decoder::kSlack);
  const std::string error = decoder_.decode(payload_, decoded_.data(), text.size());
  if (error.empty() && payload_.size() <= kMaxPayload && text.size() <= kMaxText &&
      std::string_view(decoded_).substr(0, text.size()) == text)
    return;
  std::__throw_logic_error(("the compact form does not restore this text (" +
                            (error.empty() ? "the decoded text differs" : error) +
                            "); this is a bug: please report it, and keep the text")
                               .c_str());
}

}  // namespace physmem::compact
