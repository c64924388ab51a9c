// SPDX-License-Identifier: MIT
#include "top/screen/parts.h"

#include <algorithm>
#include <utility>

#include "program/printable.h"

namespace physmem::top {
namespace {

std::size_t columns_of(const std::vector<Part>& parts) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    columns += top::columns_of(parts[i].line) + (i == 0 ? 0 : terminal_width(parts[i].before));
  return columns;
}

/// The last part of the highest rank.
std::vector<Part>::iterator least_important(std::vector<Part>& parts) {
  auto least = parts.begin();
  for (auto part = parts.begin(); part != parts.end(); ++part)
    if (part->rank >= least->rank) least = part;
  return least;
}

}  // namespace

Line fitting(std::vector<Part> parts, std::size_t columns) {
  std::erase_if(parts, [](const Part& part) { return part.line.empty(); });
  while (parts.size() > 1 && columns_of(parts) > columns) parts.erase(least_important(parts));
  Line line;
  for (Part& part : parts) {
    if (!line.empty()) line.push_back({part.line.front().style, part.before});
    for (Span& span : part.line) line.push_back(std::move(span));
  }
  return line;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::vector<std::string> lines(1);
  for (;;) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(begin);
    if (text.empty()) return lines;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const bool is_first = terminal_width(lines.back()) <= (lines.size() == 1 ? 0 : indent);
    if (!is_first && terminal_width(lines.back()) + begin + terminal_width(word) > columns)
      lines.emplace_back(indent, ' ');
    else if (!is_first || lines.size() == 1)
      lines.back().append(begin, ' ');
    lines.back() += word;
  }
}

}  // namespace physmem::top
