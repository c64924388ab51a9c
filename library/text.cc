// SPDX-License-Identifier: MIT
#include "physmem/text.h"

#include <algorithm>

#include "program/printable.h"

namespace physmem {
namespace {

bool is_valid(std::string_view name) {
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    if (length == 0) return false;
    name.remove_prefix(length);
  }
  return true;
}

std::string octal(char byte) {
  const unsigned value = static_cast<unsigned char>(byte);
  const auto digit = [&](unsigned shift) { return static_cast<char>('0' + (value >> shift & 7)); };
  return {'\\', digit(6), digit(3), digit(0)};
}

}  // namespace

std::string utf8_name(std::string_view name) {
  if (is_valid(name)) return std::string(name);
  std::string text;
  while (!name.empty()) {
    const std::size_t length = name.front() == '\\' ? 0 : utf8_length(name);
    text += length == 0 ? octal(name.front()) : std::string(name.substr(0, length));
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

}  // namespace physmem
