// SPDX-License-Identifier: MIT
#include "analyzer/report/short_path.h"

#include <algorithm>
#include <utility>

#include "program/printable.h"

namespace physmem {

bool is_path(const std::string& text) {
  return text.starts_with('/');
}

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/'));
}

std::string short_name(const std::string& text, std::size_t columns) {
  if (!is_path(text) || terminal_width(text) <= columns) return in_columns(text, columns);
  for (std::size_t at = text.find('/', 1); at != std::string::npos; at = text.find('/', at + 1))
    if (std::string end = with_signs("…") + text.substr(at); terminal_width(end) <= columns)
      return end;
  return in_columns(file_name(text).substr(1), columns);
}

std::string short_name_by_beginning(const std::string& text, std::size_t columns) {
  if (!is_path(text) || terminal_width(text) <= columns) return in_columns(text, columns);
  const std::string end = with_signs("…") + file_name(text);
  std::string shown = short_name(text, columns);
  for (std::size_t at = 0; at < text.size();
       at += std::max<std::size_t>(utf8_length(text.substr(at)), 1)) {
    std::string longer = text.substr(0, at) + end;
    if (terminal_width(longer) > columns) break;
    shown = std::move(longer);
  }
  return shown;
}

}  // namespace physmem
