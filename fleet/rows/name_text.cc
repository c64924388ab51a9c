// SPDX-License-Identifier: MIT
#include "fleet/rows/name_text.h"

#include <algorithm>
#include <cstddef>

#include "program/printable.h"

namespace physmem::fleet {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

bool is_escape(std::string_view text) {
  return text.size() >= 4 && text[0] == '\\' && text[1] <= '3' &&
         std::all_of(text.begin() + 1, text.begin() + 4, is_octal);
}

/// Most names, which stay as they are.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= 0x20 && c < 0x7F && c != '\\'; });
}

}  // namespace

bool is_escaped_name(std::string_view text) {
  return is_plain(text) || escaped_name(unescaped_name(text)) == text;
}

std::string escaped_name(std::string_view name) {
  if (is_plain(name)) return std::string(name);
  std::string text;
  text.reserve(name.size());
  while (!name.empty()) {
    const auto byte = static_cast<unsigned char>(name.front());
    const std::size_t length = byte < 0x80 ? 1 : utf8_length(name);
    if (length == 0 || byte < 0x20 || byte == 0x7F || byte == '\\') {
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (byte >> shift & 7));
      name.remove_prefix(1);
    } else {
      text += name.substr(0, length);
      name.remove_prefix(length);
    }
  }
  return text;
}

std::string unescaped_name(std::string_view text) {
  if (text.find('\\') == text.npos) return std::string(text);
  std::string name;
  name.reserve(text.size());
  while (!text.empty()) {
    if (is_escape(text)) {
      const auto digit = [&](std::size_t i) { return text[i] - '0'; };
      name += static_cast<char>(digit(1) << 6 | digit(2) << 3 | digit(3));
      text.remove_prefix(4);
    } else {
      name += text.front();
      text.remove_prefix(1);
    }
  }
  return name;
}

}  // namespace physmem::fleet
