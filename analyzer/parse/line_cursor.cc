// SPDX-License-Identifier: MIT
#include "analyzer/parse/line_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "analyzer/parse/hex_digits.h"
#include "program/printable.h"

namespace physmem {
namespace {

bool parse_number(std::string_view text, std::uint64_t& value, int base) {
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value, base);
  return code == std::errc{} && stop == end;
}

/// 0 to 15, or 16 if the character is not a hex digit.
constexpr auto kDigitOf = [] {
  std::array<unsigned char, 256> digits{};
  digits.fill(16);
  for (unsigned i = 0; i < 10; ++i) digits['0' + i] = static_cast<unsigned char>(i);
  for (unsigned i = 0; i < 6; ++i)
    digits['A' + i] = digits['a' + i] = static_cast<unsigned char>(10 + i);
  return digits;
}();

template <int kBase>
constexpr const char* kKind =
    kBase == 16 ? "a hexadecimal number below 2^64" : "a decimal number below 2^64";
template <int kBase>
constexpr const char* kKindOrDash =
    kBase == 16 ? "a hexadecimal number below 2^64 or -" : "a decimal number below 2^64 or -";

constexpr std::size_t kSafeDigits = 16;  ///< fewer than can overflow, in either base

/// Decodes the hex digits at the front of eight characters at once. Returns how many there are.
std::size_t eight_hex(const char* at, std::uint64_t& value) {
  std::uint64_t wrong = 0;
  const std::uint64_t number = detail::decode_eight(detail::load_eight(at), wrong);
  const auto n =
      wrong == 0 ? std::size_t{8} : static_cast<std::size_t>(std::countr_zero(wrong)) / 8;
  value = n == 0 ? 0 : number >> (32 - 4 * n);
  return n;
}

/// Returns how many digits are at the front. Sets `value` if there are at most kSafeDigits.
std::size_t leading_hex(const char* at, const char* end, std::uint64_t& value) {
  std::size_t n = 0;
  value = 0;
  for (std::size_t more = 8; more == 8 && n < kSafeDigits && end - at >= 8; at += more, n += more) {
    std::uint64_t next = 0;
    more = eight_hex(at, next);
    value = value << 4 * more | next;
    if (more < 8) return n + more;
  }
  for (; at != end && kDigitOf[static_cast<unsigned char>(*at)] < 16; ++at, ++n)
    value = value << 4 | kDigitOf[static_cast<unsigned char>(*at)];
  return n;
}

std::size_t leading_decimal(const char* at, const char* end, std::uint64_t& value) {
  const char* const first = at;
  value = 0;
  for (; at != end; ++at) {
    const std::uint64_t digit = static_cast<unsigned char>(*at) - std::uint64_t{'0'};
    if (digit > 9) break;
    value = value * 10 + digit;
  }
  return static_cast<std::size_t>(at - first);
}

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string expected(const char* what, std::string_view found, const char* kind) {
  return fmt::format("{}: found {}, expected {}", what, in_quotes(found), kind);
}

}  // namespace

bool parse_hex(std::string_view text, std::uint64_t& value) {
  return parse_number(text, value, 16);
}
bool parse_dec(std::string_view text, std::uint64_t& value) {
  return parse_number(text, value, 10);
}

void LineCursor::fail(std::size_t at, std::string text) {
  if (ok()) flaw_ = {at + 1, std::move(text)};
}

bool LineCursor::has_more() {
  return ok() && (is_first_ ? line_.find_first_not_of(' ', at_) != std::string_view::npos
                            : at_ < line_.size());
}

std::string_view LineCursor::field(const char* what) {
  if (!ok()) return {};
  if (!is_first_) {
    if (at_ >= line_.size()) {
      fail(at_, fmt::format("{}: the line ends here, expected another field", what));
      return {};
    }
    ++at_;  // the comma that ended the last field
  }
  is_first_ = false;
  const std::size_t comma = std::min(line_.find(',', at_), line_.size());
  const std::string_view found = trimmed(line_.substr(at_, comma - at_));
  at_ = comma;
  return found;
}

/// Reads a number in the form that collectors write, without searching for the comma. False, with
/// the position unchanged, if the field has any other form.
template <int kBase>
bool LineCursor::plain_number(std::uint64_t& value) {
  const char* const end = line_.data() + line_.size();
  const char* at = line_.data() + std::min(at_ + (is_first_ ? 0 : 1), line_.size());
  while (at != end && *at == ' ') ++at;
  const std::size_t digits =
      kBase == 16 ? leading_hex(at, end, value) : leading_decimal(at, end, value);
  at += digits;
  if (digits == 0 || digits > kSafeDigits || (at != end && *at != ',')) return false;
  at_ = static_cast<std::size_t>(at - line_.data());
  is_first_ = false;
  return true;
}

template <int kBase>
std::uint64_t LineCursor::number(const char* what) {
  std::uint64_t value = 0;
  if (!ok()) return 0;
  if (plain_number<kBase>(value)) return value;
  const std::string_view found = field(what);
  if (ok() && !parse_number(found, value, kBase)) refuse(what, found, kKind<kBase>);
  return ok() ? value : 0;
}

std::uint64_t LineCursor::hex(const char* what) {
  return number<16>(what);
}

std::uint64_t LineCursor::dec(const char* what) {
  return number<10>(what);
}

template <int kBase>
std::optional<std::uint64_t> LineCursor::number_or_dash(const char* what) {
  std::uint64_t value = 0;
  if (ok() && plain_number<kBase>(value)) return value;
  const std::string_view found = field(what);
  if (!ok() || found == "-") return {};
  if (!parse_number(found, value, kBase)) refuse(what, found, kKindOrDash<kBase>);
  return value;
}

std::optional<std::uint64_t> LineCursor::hex_or_dash(const char* what) {
  return number_or_dash<16>(what);
}

std::optional<std::uint64_t> LineCursor::dec_or_dash(const char* what) {
  return number_or_dash<10>(what);
}

void LineCursor::refuse(const char* what, std::string_view found, const char* wanted) {
  fail(offset(found), expected(what, found, wanted));
}

std::uint64_t LineCursor::device(const char* what) {
  const std::string_view found = field(what);
  const std::size_t colon = found.find(':');
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  const bool good = colon != std::string_view::npos && parse_hex(found.substr(0, colon), major) &&
                    parse_hex(found.substr(colon + 1), minor) && major <= UINT32_MAX &&
                    minor <= UINT32_MAX;
  if (ok() && !good) fail(offset(found), expected(what, found, "major:minor in hexadecimal"));
  return ok() ? major << 32 | minor : 0;
}

std::string LineCursor::text(const char* what) {
  const std::string_view found = field(what);
  if (!ok()) return {};
  return decode(found, offset(found));
}

std::string LineCursor::rest() {
  if (!ok()) return {};
  const std::size_t from = std::min(at_ + (is_first_ ? 0 : 1), line_.size());
  at_ = line_.size();
  is_first_ = false;
  return std::string(trimmed(line_.substr(from)));
}

std::string LineCursor::decode(std::string_view escaped, std::size_t at) {
  const auto is_special = [](char c) { return c == '\\' || static_cast<unsigned char>(c) < ' '; };
  if (std::none_of(escaped.begin(), escaped.end(), is_special)) return std::string(escaped);
  std::string name;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const char c = escaped[i];
    if (has_escapes_ && c == '\\') {
      const std::string_view digits = escaped.substr(i + 1, 3);
      if (digits.size() < 3 || digits[0] > '3' || !is_octal(digits[0]) || !is_octal(digits[1]) ||
          !is_octal(digits[2])) {
        fail(at + i, "found a backslash, expected three octal digits after it (\\000 to \\377)");
        return {};
      }
      name +=
          static_cast<char>((digits[0] - '0') << 6 | (digits[1] - '0') << 3 | (digits[2] - '0'));
      i += 3;
    } else if (static_cast<unsigned char>(c) < ' ') {
      fail(at + i,
           fmt::format("found the control character \\{:03o} in a name", static_cast<unsigned>(c)));
      return {};
    } else {
      name += c;
    }
  }
  return name;
}

void LineCursor::skip_fields() {
  if (has_more())
    at_ = line_.size();
  else
    expect_end();
}

void LineCursor::expect_end() {
  if (ok() && at_ < line_.size())
    fail(at_, fmt::format("found {}, expected the end of the line", in_quotes(line_.substr(at_))));
}

}  // namespace physmem
