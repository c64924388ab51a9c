// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>

#include "program/option_text.h"

namespace physmem {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kMaxIndent = 25;  ///< a wider option has its text on the next line

std::string left_column(const OptionText& option) {
  std::string text = option.letter != 0 ? std::string("  -") + option.letter + ", --" : "      --";
  text += option.name;
  if (option.value != nullptr)
    text += (has_optional_value(option) ? "" : " ") + std::string(option.value);
  return text;
}

/// "[default: 1]" is one word if it fits into a line.
std::size_t end_of_word(std::string_view text, std::size_t indent) {
  const std::size_t close = text.find(']');
  const std::size_t from = text[0] == '[' && close < kWidth - indent ? close : 0;
  return std::min(text.find_first_of(" \n", from), text.size());
}

/// Appends `text` from column `indent` on; a newline in it begins a new line.
void append_wrapped(std::string& to, std::string_view text, std::size_t indent) {
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = end_of_word(text, indent);
    if (column > indent && column + 1 + end > kWidth) {
      to += '\n' + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) to += ' ';
    to += text.substr(0, end);
    column += end + (column > indent ? 1 : 0);
    if (end < text.size() && text[end] == '\n') {
      to += '\n' + std::string(indent, ' ');
      column = indent;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  to += '\n';
}

std::size_t indent_of(const OptionList& list) {
  std::size_t indent = 0;
  for (const OptionText& option : list.options)
    if (const std::size_t width = left_column(option).size() + 2;
        width <= kMaxIndent && !option.is_hidden)
      indent = std::max(indent, width);
  return indent;
}

void append_option(std::string& to, const OptionText& option, std::size_t indent) {
  const std::string left = left_column(option);
  to += left;
  to += left.size() + 2 > indent ? "\n" + std::string(indent, ' ')
                                 : std::string(indent - left.size(), ' ');
  append_wrapped(to, full_help(option), indent);
}

}  // namespace

std::string full_help(const OptionText& option) {
  std::string help = option.help;
  if (option.example != nullptr) help += std::string(" [example: ") + option.example + "]";
  if (option.fallback != nullptr) help += std::string(" [default: ") + option.fallback + "]";
  return help;
}

std::string help_of(const OptionList& list) {
  const ProgramText& program = list.program;
  const std::size_t indent = indent_of(list);
  std::string text = std::string(program.name) + ": " + program.purpose + "\n\nUSAGE\n" +
                     program.usage + "\n" + program.notes;
  if (*program.notes != '\0') text += "\n";
  auto heading = list.headings.begin();
  for (std::size_t i = 0; i < list.options.size(); ++i) {
    for (; heading != list.headings.end() && heading->first == i; ++heading)
      text += (i > 0 ? "\n" : "") + std::string(heading->text) + "\n";
    if (!list.options[i].is_hidden) append_option(text, list.options[i], indent);
  }
  return text + "\n" + program.sections;
}

}  // namespace physmem
