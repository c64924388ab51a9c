// SPDX-License-Identifier: MIT
#include "program/printable.h"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace physmem {
namespace {

bool is_ascii_only = false;

struct Sign {
  std::string_view utf8;
  std::string_view ascii;
};
constexpr Sign kEllipsis{"…", "..."};
constexpr std::array kSigns{kEllipsis, Sign{"×", "x"}, Sign{"⏎", "Enter"}, Sign{"↑↓", "Up/Down"}};

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_plain(char c) {
  return c >= ' ' && c <= '~';
}

void append_octal(std::string& to, unsigned byte) {
  to += '\\';
  for (const unsigned shift : {6U, 3U, 0U}) to += static_cast<char>('0' + ((byte >> shift) & 7U));
}

/// Control characters, line separators, characters without width, and bidirectional formatting
/// characters (Unicode), which can make a name look like another one.
bool is_control(std::string_view character) {
  const char32_t code = code_point(character);
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

/// wcwidth() supports only the characters of the locale, and the user's may be ASCII only. If
/// C.UTF-8 is not available, the thread's locale is used.
class WidthLocale {
 public:
  WidthLocale() : before_(::uselocale(utf8())) {}
  ~WidthLocale() { ::uselocale(before_); }
  WidthLocale(const WidthLocale&) = delete;
  WidthLocale& operator=(const WidthLocale&) = delete;

 private:
  static locale_t utf8() {
    static const locale_t kLocale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return kLocale;
  }

  locale_t before_;
};

enum class Stray { kOctal, kReplaced };

std::string shown(std::string_view text, Stray stray) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 && stray == Stray::kReplaced) {
      result += kReplacement;
    } else if (length == 0 || is_control(character) ||
               (stray == Stray::kOctal && is_ascii_only && length > 1)) {
      for (std::size_t i = 0; i < character.size(); ++i)
        append_octal(result, byte_at(character, i));
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0U) != 0x80) return 0;
  // The second byte shows overlong forms, surrogates and values above U+10FFFF (Unicode, table
  // 3-7).
  const unsigned second = byte_at(text, 1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

char32_t code_point(std::string_view text) {
  const std::size_t length = utf8_length(text);
  const unsigned first = byte_at(text, 0);
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte_at(text, i) & 0x3FU);
  return code;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(utf8_length(text), 1));
  return count;
}

std::size_t terminal_width(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return text.size();
  const WidthLocale locale;
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const int width = length == 0 ? 1 : ::wcwidth(static_cast<wchar_t>(code_point(text)));
    columns += width < 0 ? 1 : static_cast<std::size_t>(width);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return columns;
}

void use_ascii(bool is_ascii) {
  is_ascii_only = is_ascii;
}

std::string with_signs(std::string_view text) {
  if (!is_ascii_only) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const auto* const sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& candidate) {
      return text.starts_with(candidate.utf8);
    });
    result += sign == kSigns.end() ? text.substr(0, 1) : sign->ascii;
    text.remove_prefix(sign == kSigns.end() ? 1 : sign->utf8.size());
  }
  return result;
}

std::string in_columns(std::string_view text, std::size_t columns) {
  if (terminal_width(text) <= columns) return std::string(text);
  const std::string sign = with_signs(kEllipsis.utf8);
  const std::size_t kept = columns - std::min(columns, terminal_width(sign));
  std::string_view front = text.substr(0, 0);
  std::string_view rest = text;
  const auto next = [](std::string_view of) {
    return of.substr(0, std::max<std::size_t>(utf8_length(of), 1));
  };
  while (terminal_width(front) + terminal_width(next(rest)) <= (kept + 1) / 2) {
    front = text.substr(0, front.size() + next(rest).size());
    rest = text.substr(front.size());
  }
  while (terminal_width(rest) > kept - terminal_width(front)) rest.remove_prefix(next(rest).size());
  while (!rest.empty() && terminal_width(next(rest)) == 0) rest.remove_prefix(next(rest).size());
  return std::string(front) + sign + std::string(rest);
}

std::string for_terminal(std::string_view text) {
  return shown(text, Stray::kOctal);
}

std::string quoted(std::string_view text, std::size_t limit) {
  return '"' + for_terminal(text.substr(0, limit)) + (text.size() > limit ? "…\"" : "\"");
}

std::string message_line(std::string_view program, std::string_view text) {
  std::string line(program);
  line += ": ";
  line += for_terminal(text);
  line += '\n';
  return line;
}

std::string for_picture(std::string_view text) {
  return shown(text, Stray::kReplaced);
}

}  // namespace physmem
