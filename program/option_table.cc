// SPDX-License-Identifier: MIT
#include "program/option_table.h"

#include <getopt.h>

#include <algorithm>
#include <numeric>

#include "program/option_value.h"

#ifndef PHYSMEM_VERSION
#define PHYSMEM_VERSION "unknown"
#endif

namespace physmem {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kMaxIndent = 25;  ///< a wider option has its text on the next line
constexpr int kOperand = 1;             ///< getopt_long() returns it for a word without dashes
constexpr int kFirstLong = 256;         ///< values of getopt_long() above all letters

constexpr OptionText kCommon[] = {{'h', "help", nullptr, "print this page"},
                                  {0, "version", nullptr, "print the version"}};

/// Single characters to add, remove or replace (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// "--name" of "--name=value"; "-x" of a cluster such as "-qx".
std::string option_of(std::string_view word, int letter) {
  if (word.starts_with("--")) return std::string(word.substr(0, word.find('=')));
  return {'-', static_cast<char>(letter)};
}

std::string version_of(const ProgramText& program) {
  return std::string(program.name) + " " PHYSMEM_VERSION "\nMIT licence. There is no warranty.\n";
}

std::string left_column(const OptionText& option) {
  std::string text = option.letter != 0 ? std::string("  -") + option.letter + ", --" : "      --";
  text += option.name;
  if (option.value != nullptr) text += std::string(" ") + option.value;
  return text;
}

/// "[default: 1]" is one word if it fits into a line.
std::size_t end_of_word(std::string_view text, std::size_t indent) {
  const std::size_t close = text.find(']');
  if (text[0] == '[' && close < kWidth - indent) return close + 1;
  return std::min(text.find_first_of(" \n"), text.size());
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

}  // namespace

/// The same options as getopt_long() takes them.
struct OptionParser::GetoptForm {
  std::string letters = "-:";  // operands in their order, and ':' for a missing value
  std::vector<::option> longs;
};

struct OptionParser::Step {
  enum class Kind { kOption, kOperand, kError, kEnd };
  Kind kind;
  std::size_t option = 0;
  std::string text = {};  // the value, the operand, or the error
};

Error usage_error(std::string_view program, const std::string& text) {
  return {Error::Kind::kUsage, text + " (" + std::string(program) + " --help lists all options)"};
}

OptionParser::OptionParser(const ProgramText& program, std::vector<OptionText> options,
                           std::vector<OptionHeading> headings)
    : program_(program), options_(std::move(options)), headings_(std::move(headings)) {
  options_.insert(options_.end(), std::begin(kCommon), std::end(kCommon));
}

bool OptionParser::is_known(std::string_view word) const {
  return std::any_of(options_.begin(), options_.end(), [word](const OptionText& option) {
    return word.size() > 2 && word.substr(2) == option.name;
  });
}

std::string OptionParser::suggestion_for(std::string_view word) const {
  if (!word.starts_with("--")) return {};
  const std::string_view name = word.substr(2);
  const OptionText* nearest = nullptr;
  std::size_t least = 3;  // two slips; a short name is close to any other
  for (const OptionText& option : options_) {
    const std::size_t found = distance(name, option.name);
    if (option.help != nullptr && found < least && found < name.size() / 2) {
      nearest = &option;
      least = found;
    }
  }
  return nearest == nullptr ? "" : std::string("; did you mean --") + nearest->name + "?";
}

OptionParser::GetoptForm OptionParser::getopt_form() const {
  GetoptForm form;
  for (const OptionText& option : options_) {
    const int kind = option.value == nullptr ? no_argument : required_argument;
    const int number = kFirstLong + static_cast<int>(form.longs.size());
    form.longs.push_back({option.name, kind, nullptr, number});
    if (option.letter == 0) continue;
    form.letters += option.letter;
    if (option.value != nullptr) form.letters += ':';
  }
  form.longs.push_back({});
  return form;
}

OptionParser::Step OptionParser::next(int argc, char* argv[], const GetoptForm& form) const {
  const int at = optind == 0 ? 1 : optind;
  const int found = ::getopt_long(argc, argv, form.letters.c_str(), form.longs.data(), nullptr);
  if (found < 0) return {Step::Kind::kEnd};
  if (found == kOperand) return {Step::Kind::kOperand, 0, optarg};
  const std::string word = option_of(argv[at], optopt);
  if (found == ':') return {Step::Kind::kError, 0, "option " + word + " requires a value"};
  std::size_t index = static_cast<std::size_t>(found - kFirstLong);
  if (found < kFirstLong)
    for (index = 0; index < options_.size() && options_[index].letter != found;) ++index;
  const bool has_value = std::string_view(argv[at]).starts_with(word + "=");
  if (found == '?' && has_value && is_known(word))
    return {Step::Kind::kError, 0, "option " + word + " takes no value"};
  // getopt_long() accepts any unambiguous beginning of a name.
  if (found == '?' || (found >= kFirstLong && word.substr(2) != options_[index].name))
    return {Step::Kind::kError, 0, "unknown option " + word + suggestion_for(word)};
  return {Step::Kind::kOption, index, optarg == nullptr ? "" : optarg};
}

Result<OptionParser::Words> OptionParser::parse(
    int argc, char* argv[],
    const std::function<std::string(std::size_t option, const char* value)>& apply) const {
  const GetoptForm form = getopt_form();
  opterr = 0;
  optind = 0;  // begin from the first word: tests parse more than once
  Words words;
  for (;;) {
    const Step step = next(argc, argv, form);
    if (step.kind == Step::Kind::kEnd) break;
    if (step.kind == Step::Kind::kError) return usage_error(program_.name, step.text);
    if (step.kind == Step::Kind::kOperand) {
      words.operands.push_back(step.text);
      continue;
    }
    const std::string name = options_[step.option].name;
    if (name == "help") return Words{help(), {}};
    if (name == "version") return Words{version_of(program_), {}};
    const std::string expected = apply(step.option, step.text.c_str());
    if (!expected.empty())
      return usage_error(program_.name, wrong_value("--" + name, step.text, expected));
  }
  words.operands.insert(words.operands.end(), argv + optind, argv + argc);
  return words;
}

std::string OptionParser::help() const {
  std::size_t indent = 0;
  for (const OptionText& option : options_)
    if (const std::size_t width = left_column(option).size() + 2; width <= kMaxIndent)
      indent = std::max(indent, width);
  std::string text = std::string(program_.name) + ": " + program_.purpose + "\n\nUSAGE\n" +
                     program_.usage + "\n" + program_.notes;
  if (*program_.notes != '\0') text += "\n";
  auto heading = headings_.begin();
  for (std::size_t i = 0; i < options_.size(); ++i) {
    for (; heading != headings_.end() && heading->first == i; ++heading)
      text += std::string(heading->text) + "\n";
    if (options_[i].help == nullptr) continue;
    const std::string left = left_column(options_[i]);
    text += left;
    text += left.size() + 2 > indent ? "\n" + std::string(indent, ' ')
                                     : std::string(indent - left.size(), ' ');
    append_wrapped(text, options_[i].help, indent);
  }
  return text + "\n" + program_.sections;
}

}  // namespace physmem
