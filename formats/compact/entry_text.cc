// SPDX-License-Identifier: MIT
#include "formats/compact/entry_text.h"

#include <algorithm>
#include <charconv>

#include "formats/emit/pieces.h"

namespace physmem::compact {
namespace {

/// Moves over a number.
bool take(std::string_view& text, int base, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

bool take_resident(std::string_view text, unsigned page_shift, Run& run) {
  std::uint64_t value = 0;
  if (!take(text, 16, value) || !take(text, ", ") || !take(text, 10, run.use.count) || !take(text, ", ") ||
      !take(text, 16, run.use.flags))
    return false;
  run.place = (value & kAddressBits) >> page_shift;
  run.use.low_bits = value & ((std::uint64_t{1} << page_shift) - 1);
  run.use.high_bits = value & ~kAddressBits;
  return true;
}

}  // namespace

const std::array<std::array<char, 2>, 256> kHexPairs = [] {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::array<std::array<char, 2>, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i >> 4], kDigits[i & 15]};
  return pairs;
}();

char* SteppingHex::write(char* text, char* at) {
  const char* const begin = at;
  at = write_hex(at, value);
  length = static_cast<std::size_t>(at - begin);
  written_high = static_cast<std::uint32_t>(value >> 32);
  end = static_cast<std::size_t>(at - text);
  digits_at = end - 2 - shift / 4;
  return at;
}

bool SteppingHex::rewrite(char* text) {
  store_digits(text + end - 8, hex_digits(static_cast<std::uint32_t>(value)));
  const auto high = static_cast<std::uint32_t>(value >> 32);
  if (high == written_high) return true;
  written_high = high;
  if (length != 8 + (high != 0 ? hex_length(high) : 0)) return false;
  write_hex(text + end - length, value);
  return true;
}

void EntryText::set(const Run& run, unsigned page_shift) {
  const bool is_resident = run.list == List::kResident;
  va_.value = run.va;
  place_.value = is_resident ? (run.place << page_shift) + run.use.low_bits + run.use.high_bits : run.place;
  place_.is_down = run.is_down;
  const bool is_other_use = run.use != use_;
  use_ = run.use;
  const bool is_like_last =
      size_ != 0 && run.list == list_ && va_.shift == page_shift && (is_resident || !is_other_use);
  if (is_like_last) {
    rewrite();
    if (is_other_use) write_use(text_ + place_.end);
    return;
  }
  list_ = run.list;
  va_.shift = page_shift;
  place_.shift = is_resident ? page_shift : 0;
  write_all();
}

void EntryText::rewrite() {
  if (!va_.rewrite(text_) || !place_.rewrite(text_)) write_all();
}

void EntryText::write_all() {
  char* at = text_;
  *at++ = ' ';
  at = va_.write(text_, at);
  *at++ = '=';
  if (list_ == List::kSwapped) {
    at = write_dec(at, use_.count);
    *at++ = ':';
  }
  write_use(place_.write(text_, at));
}

/// And the entry's end.
void EntryText::write_use(char* at) {
  if (list_ == List::kResident) {
    *at++ = ',';
    *at++ = ' ';
    at = write_dec(at, use_.count);
    *at++ = ',';
    *at++ = ' ';
    at = write_hex(at, use_.flags);
  }
  *at++ = ' ';
  *at++ = '|';
  size_ = static_cast<std::size_t>(at - text_);
}

/// Entries that differ in the pairs of stepping digits only. Each is a copy of the first `kBytes` bytes of the text.
template <std::size_t kBytes>
char* EntryText::write_alike(char* at, std::uint64_t pages) const {
  char copy[kBytes];  // `at` might be a place in text_, as far as compilers know
  std::memcpy(copy, text_, kBytes);
  const std::size_t va_at = va_.digits_at;
  const std::size_t place_at = place_.digits_at;
  const unsigned va_step = va_.step();
  const unsigned place_step = place_.step();
  const std::size_t size = size_;
  unsigned va_pair = va_.pair();
  unsigned place_pair = place_.pair();
  for (; pages != 0; --pages) {
    std::memcpy(at, copy, kBytes);
    std::memcpy(at + va_at, &kHexPairs[va_pair & 0xFF], 2);
    std::memcpy(at + place_at, &kHexPairs[place_pair & 0xFF], 2);
    va_pair += va_step;
    place_pair += place_step;
    at += size;
  }
  return at;
}

char* EntryText::write(char* at, const char* end, std::uint64_t pages) {
  constexpr std::size_t kMostly = 48;  // bytes that are enough for nearly all entries
  while (pages != 0) {
    const std::uint64_t n = std::min<std::uint64_t>({pages, va_.alike(), place_.alike()});
    if (n * size_ > static_cast<std::size_t>(end - at)) return nullptr;
    at = size_ <= kMostly ? write_alike<kMostly>(at, n) : write_alike<kMost>(at, n);
    pages -= n;
    if (pages != 0) move(n);
  }
  return at;
}

std::optional<Run> parse_entry(List list, std::string_view text, unsigned page_shift, EntryText& entry) {
  Run run;
  run.list = list;
  run.pages = 1;
  std::string_view rest = text;
  if (!take(rest, " ") || !take(rest, 16, run.va) || !take(rest, "=")) return {};
  if (list == List::kResident) {
    if (!take_resident(rest, page_shift, run)) return {};
  } else if (!take(rest, 10, run.use.count) || !take(rest, ":") || !take(rest, 16, run.place)) {
    return {};
  }
  entry.set(run, page_shift);
  return entry.begins(text) ? std::optional(run) : std::nullopt;
}

}  // namespace physmem::compact
