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

/// The blocks of characters whose direction, or its default, is from right to left (Unicode,
/// DerivedBidiClass.txt).
bool is_right_to_left(char32_t code) {
  return (code >= 0x0590 && code <= 0x08FF) || (code >= 0xFB1D && code <= 0xFDFF) ||
         (code >= 0xFE70 && code <= 0xFEFE) || (code >= 0x10800 && code <= 0x10FFF) ||
         (code >= 0x1E800 && code <= 0x1EFFF);
}

bool has_right_to_left(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length > 1 && is_right_to_left(code_point(text))) return true;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return false;
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

enum class Form { kTerminal, kExport, kPicture };

/// Whether \ooo begins here.
bool is_octal_escape(std::string_view text) {
  return text.size() >= 4 && text[0] == '\\' &&
         std::all_of(text.begin() + 1, text.begin() + 4,
                     [](char c) { return c >= '0' && c <= '7'; });
}

std::string shown(std::string_view text, Form form) {
  const bool has_backslashes = form == Form::kExport && text.find('\\') != text.npos;
  if (!has_backslashes && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 && form == Form::kPicture) {
      result += kReplacement;
    } else if (length == 0 || is_control(code_point(character)) ||
               (form == Form::kTerminal && is_ascii_only && length > 1) ||
               (form == Form::kExport && is_octal_escape(text))) {
      for (std::size_t i = 0; i < character.size(); ++i)
        append_octal(result, byte_at(character, i));
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(utf8_length(text), 1));
}

/// As much of a text as fits, at least one character.
std::string_view beginning(std::string_view text, std::size_t columns) {
  std::size_t size = 0;
  for (std::size_t width = 0; size < text.size();) {
    const std::string_view next = first_character(text.substr(size));
    width += terminal_width(next);
    if (width > columns && size != 0) break;
    size += next.size();
  }
  return text.substr(0, size);
}

/// Bytes of the beginning that are written to one line.
std::size_t line_end(std::string_view text, std::size_t columns) {
  const std::string_view line = beginning(text, columns);
  if (line.size() == text.size() || text[line.size()] == ' ') return line.size();
  const std::size_t word = line.find_first_not_of(' ');
  const std::size_t blank = line.rfind(' ');
  return blank == line.npos || word == line.npos || blank < word ? line.size() : blank;
}

/// Columns before the lines that follow the first one.
std::size_t hanging_indent(std::string_view text, std::size_t columns) {
  const std::size_t front = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t gap = text.find("  ", front);
  const std::size_t after = gap == text.npos ? text.npos : text.find_first_not_of(' ', gap);
  if (after != text.npos && terminal_width(text.substr(0, after)) <= columns / 3)
    return terminal_width(text.substr(0, after));
  return std::min(front + 2, columns / 2);
}

}  // namespace

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

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
  while (terminal_width(front) + terminal_width(first_character(rest)) <= (kept + 1) / 2) {
    front = text.substr(0, front.size() + first_character(rest).size());
    rest = text.substr(front.size());
  }
  while (terminal_width(rest) > kept - terminal_width(front))
    rest.remove_prefix(first_character(rest).size());
  while (!rest.empty() && terminal_width(first_character(rest)) == 0)
    rest.remove_prefix(first_character(rest).size());
  return std::string(front) + sign + std::string(rest);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  const std::string indent(hanging_indent(text, columns), ' ');
  std::string margin;
  while (columns != 0 && margin.size() + terminal_width(text) > columns) {
    const std::string_view line = text.substr(0, line_end(text, columns - margin.size()));
    lines.push_back(margin + std::string(line.substr(0, line.find_last_not_of(' ') + 1)));
    text.remove_prefix(line.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    margin = indent;
  }
  if (!text.empty() || lines.empty()) lines.push_back(margin + std::string(text));
  return lines;
}

std::string for_terminal(std::string_view text) {
  return shown(text, Form::kTerminal);
}

std::string lines_for_terminal(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t field = std::min(text.find_first_of("\t\n"), text.size());
    result += for_terminal(text.substr(0, field));
    result += text.substr(field, 1);
    text.remove_prefix(std::min(field + 1, text.size()));
  }
  return result;
}

std::string isolated(std::string text) {
  if (is_ascii_only || !has_right_to_left(text)) return text;
  return "\u2068" + text + "\u2069";
}

std::string without_isolates(std::string text) {
  for (const std::string_view sign : {"\u2068", "\u2069"})
    for (std::size_t at = 0; (at = text.find(sign, at)) != text.npos;) text.erase(at, sign.size());
  return text;
}

std::string with_isolates(std::string_view text) {
  if (is_ascii_only || !has_right_to_left(text)) return std::string(text);
  std::string result, part;
  std::size_t whole = 0;  // of `part`, without blanks at its end
  const auto end_part = [&] {
    if (!part.empty()) result += "\u2068" + part.substr(0, whole) + "\u2069" + part.substr(whole);
    part.clear();
  };
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    if (has_right_to_left(character)) {
      part += character;
      whole = part.size();
    } else if (!part.empty() && character == " ") {
      part += character;
    } else {
      end_part();
      result += character;
    }
  }
  end_part();
  return result;
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  return '"' + for_terminal(text.substr(0, limit)) + (text.size() > limit ? "…\"" : "\"");
}

std::string message_line(std::string_view program, std::string_view text) {
  std::string line(program);
  line += ": ";
  line += for_terminal(text);
  line += '\n';
  return line;
}

std::string for_export(std::string_view text) {
  return shown(text, Form::kExport);
}

std::string from_export(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(i + 1, 3);
    if (text[i] != '\\' || digits.size() != 3 || !std::ranges::all_of(digits, is_octal)) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((digits[0] - '0') << 6 | (digits[1] - '0') << 3 | (digits[2] - '0'));
    i += 3;
  }
  return plain;
}

std::string for_picture(std::string_view text) {
  return shown(text, Form::kPicture);
}

std::string counted(std::uint64_t n, std::string_view singular) {
  std::string text = std::to_string(n) + " " + std::string(singular);
  if (n != 1) text += singular.ends_with('s') ? "es" : "s";
  return text;
}

}  // namespace physmem
