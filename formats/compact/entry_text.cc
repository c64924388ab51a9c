// SPDX-License-Identifier: MIT
#include "formats/compact/entry_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstring>

#include "formats/emit/pieces.h"

namespace physmem::compact {
namespace {

/// Parses a number and removes it from `text`.
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
  if (!take(text, 16, value) || !take(text, ", ") || !take(text, 10, run.use.count) ||
      !take(text, ", ") || !take(text, 16, run.use.flags))
    return false;
  run.place = (value & kAddressBits) >> page_shift;
  run.use.low_bits = value & ((std::uint64_t{1} << page_shift) - 1);
  run.use.high_bits = value & ~kAddressBits;
  return true;
}

std::uint64_t digits_of(const SteppingHex& number) {
  return hex_digits(static_cast<std::uint32_t>(number.value));
}

bool has_digits(const char* text, const SteppingHex& number) {
  char digits[8];
  store_digits(digits, digits_of(number));
  return std::memcmp(text + number.at, digits, sizeof digits) == 0;
}

/// All numbers of two hexadecimal digits, from 00 to FF, the first digit in the upper byte.
constexpr std::array<std::uint16_t, 256> kPairs = [] {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::array<std::uint16_t, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = static_cast<std::uint16_t>(kDigits[i >> 4] << 8 | kDigits[i & 15]);
  return pairs;
}();

/// The last eight digits of a stepping number. In most steps only two of them change.
class Digits {
 public:
  explicit Digits(const SteppingHex& number)
      : value_(number.value),
        step_(number.step),
        digits_(digits_of(number)),
        shift_(static_cast<unsigned>(std::countr_zero(number.step)) & ~3u) {
    assert(number.step != 0);
  }

  void store(char* at) const { store_digits(at, digits_); }
  void next() {
    const std::uint64_t before = value_;
    value_ += step_;
    if ((value_ ^ before) >> (shift_ + 8) != 0) {
      digits_ = hex_digits(static_cast<std::uint32_t>(value_));
    } else {
      const unsigned at = 2 * shift_;  // digits_ has one byte per 4 bits
      const std::uint64_t pair = kPairs[value_ >> shift_ & 0xFF];
      digits_ = (digits_ & ~(std::uint64_t{0xFFFF} << at)) | pair << at;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
  std::uint64_t step_;
  std::uint64_t digits_;
  unsigned shift_;
};

char* write_number(char* text, char* at, SteppingHex& number) {
  char* const end = write_hex(at, number.value);
  number.high = static_cast<std::uint32_t>(number.value >> 32);
  number.at = static_cast<std::size_t>(end - text) - 8;
  return end;
}

}  // namespace

void EntryText::set(const Run& run, unsigned page_shift) {
  const bool is_resident = run.list == List::kResident;
  va_.value = run.va;
  va_.step = std::uint64_t{1} << page_shift;
  place_.value = value_of(run, page_shift);
  place_.step = (run.is_down ? ~std::uint64_t{0} : 1) << (is_resident ? page_shift : 0);
  const bool is_other_use = run.use != use_;
  const bool is_other_list = run.list != list_;
  use_ = run.use;
  list_ = run.list;
  if (size_ == 0 || is_other_list || has_other_high() || (is_other_use && !is_resident))
    write_all();
  else if (is_other_use)
    write_use(text_ + place_.at + 8);
}

void EntryText::write_all() {
  char* at = text_;
  *at++ = ' ';
  at = write_number(text_, at, va_);
  *at++ = '=';
  if (list_ == List::kSwapped) {
    at = write_dec(at, use_.count);
    *at++ = ':';
  }
  write_use(write_number(text_, at, place_));
}

/// Also writes the end of the entry.
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

bool EntryText::begins(std::string_view text) const {
  const auto is_same = [&](std::size_t from, std::size_t to) {
    return std::memcmp(text.data() + from, text_ + from, to - from) == 0;
  };
  return text.size() >= size_ && has_digits(text.data(), va_) && has_digits(text.data(), place_) &&
         is_same(0, va_.at) && is_same(va_.at + 8, place_.at) && is_same(place_.at + 8, size_);
}

void EntryText::next() {
  va_.value += va_.step;
  place_.value += place_.step;
  if (has_other_high()) write_all();
}

/// Writes entries while the upper halves of the addresses do not change. Each entry is a copy of
/// the first `kBytes` bytes of the text, with its own digits.
template <std::size_t kBytes>
char* EntryText::write_uniform(char* at, std::uint64_t pages) {
  Digits va(va_);
  Digits place(place_);
  const std::size_t va_at = va_.at;  // local copies: to compilers, `at` may alias this object
  const std::size_t place_at = place_.at;
  const std::size_t size = size_;
  while (true) {
    std::memcpy(at, text_, kBytes);
    va.store(at + va_at);
    place.store(at + place_at);
    at += size;
    if (--pages == 0) break;
    va.next();
    place.next();
  }
  va_.value = va.value() + va_.step;
  place_.value = place.value() + place_.step;
  return at;
}

char* EntryText::write(char* at, const char* end, std::uint64_t pages) {
  constexpr std::size_t kTypical = 48;  // enough bytes for nearly all entries
  const auto stays = [&](const SteppingHex& number) {
    return (number.value + (pages - 1) * number.step) >> 32 == number.high;
  };
  const auto room = static_cast<std::size_t>(end - at);
  if (pages - 1 >= room / kMin) return nullptr;
  const bool is_uniform = stays(va_) && stays(place_);
  while (pages != 0) {
    const std::uint64_t n = is_uniform ? pages : 1;
    if (n * size_ > static_cast<std::size_t>(end - at)) return nullptr;
    at = size_ <= kTypical ? write_uniform<kTypical>(at, n) : write_uniform<kMax>(at, n);
    pages -= n;
    if (pages != 0 && has_other_high()) write_all();
  }
  return at;
}

namespace {

std::uint64_t hex_width(std::uint64_t value) {
  return std::max<std::uint64_t>(8, (static_cast<std::uint64_t>(std::bit_width(value)) + 3) / 4);
}

std::uint64_t dec_width(std::uint64_t value) {
  std::uint64_t width = 1;
  for (; value >= 10; value /= 10) ++width;
  return width;
}

}  // namespace

std::uint64_t entry_bytes(std::uint64_t va, std::uint64_t value, std::uint64_t count,
                          std::uint64_t flags) {
  constexpr std::uint64_t kOthers = 8;  // " ", "=", ", ", ", " and " |"
  return kOthers + hex_width(va) + hex_width(value) + dec_width(count) + hex_width(flags);
}

std::uint64_t text_bytes(const Run& run, unsigned page_shift) {
  const auto bytes = [&](std::uint64_t i) {
    const std::uint64_t step = i << page_shift;
    const std::uint64_t value = value_of(run, page_shift);
    return entry_bytes(run.va + step, run.is_down ? value - step : value + step, run.use.count,
                       run.use.flags);
  };
  const std::uint64_t first = bytes(0);
  // If the first and the last number have the same length, so have all between, unless they wrap at
  // 2^64.
  const std::uint64_t last = (run.pages - 1) << page_shift;
  const std::uint64_t value = value_of(run, page_shift);
  const bool is_straight =
      run.va + last >= run.va && (run.is_down ? value >= last : value + last >= value);
  if (is_straight && bytes(run.pages - 1) == first) return run.pages * first;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < run.pages; ++i) sum += bytes(i);
  return sum;
}

std::optional<Run> parse_entry(List list, std::string_view text, unsigned page_shift,
                               EntryText& entry) {
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
