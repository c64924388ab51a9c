// SPDX-License-Identifier: MIT
#include "program/option_table.h"

#include <utility>

#include "program/option_completion.h"
#include "program/option_value.h"

#ifndef PHYSMEM_VERSION
#define PHYSMEM_VERSION "unknown"
#endif

namespace physmem {
namespace {

constexpr OptionText kCommon[] = {{'h', "help", nullptr, "print this page"},
                                  {'V', "version", nullptr, "print the version"}};

std::string version_of(const ProgramText& program) {
  return std::string(program.name) + " " PHYSMEM_VERSION "\nMIT licence. There is no warranty.\n";
}

/// Without the options that are not printed.
OptionList printed(OptionList list) {
  for (std::size_t i = list.options.size(); i-- > 0;) {
    if (!list.options[i].is_hidden) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    list.options.erase(list.options.begin() + at);
    if (!list.choices.empty()) list.choices.erase(list.choices.begin() + at);
    for (OptionHeading& heading : list.headings)
      if (heading.first > i) --heading.first;
  }
  return list;
}

/// No value of an option with choices.
constexpr const char* kNoChoice = "?";

}  // namespace

Error usage_error(std::string_view program, const std::string& text) {
  return {Error::Kind::kUsage, text + " (" + std::string(program) + " --help lists all options)"};
}

Status refuse_operands(const ProgramText& program, const std::vector<std::string>& operands,
                       const char* expected) {
  if (operands.empty()) return {};
  return usage_error(program.name,
                     "found \"" + operands.front() + "\", expected " + std::string(expected));
}

OptionParser::OptionParser(const ProgramText& program, std::vector<OptionText> options,
                           std::vector<OptionHeading> headings, SplitOptions* split,
                           std::vector<VerbText> verbs)
    : list_{program, std::move(options), std::move(headings), std::move(verbs)}, split_(split) {
  list_.options.insert(list_.options.end(), std::begin(kCommon), std::end(kCommon));
}

std::string OptionParser::text_instead_of(const std::string& name,
                                          const std::vector<std::string>& operands) const {
  if (name == "version") return version_of(list_.program);
  if (name != "help") return {};
  for (const VerbText& verb : list_.verbs)
    if (verb.page != nullptr && !operands.empty() && operands.front() == verb.name)
      return verb.page(list_, verb);
  return help_of(list_);
}

/// The file that a build asks a program for; empty for any other command line.
std::string OptionParser::build_file(int argc, char* argv[], const Apply& apply) const {
  PageWriter* const page_of = page_writer(argc == 2 ? argv[1] : "");
  return page_of == nullptr ? std::string() : page_of(list(apply));
}

OptionList OptionParser::list(const Apply& apply) const {
  OptionList all = list_;
  all.choices.resize(all.options.size());
  for (std::size_t i = 0; i < all.options.size() - std::size(kCommon); ++i)
    if (all.options[i].value != nullptr) all.choices[i] = choices_of(apply(i, kNoChoice));
  return printed(std::move(all));
}

Error OptionParser::usage_error(const std::string& text) const {
  const ProgramText& program = list_.program;
  return physmem::usage_error(program.command != nullptr ? program.command : program.name, text);
}

Result<OptionParser::Words> OptionParser::parse(int argc, char* argv[], const Apply& apply) const {
  Words words;
  words.text_instead = build_file(argc, argv, apply);
  if (!words.text_instead.empty()) return words;
  const OptionWords found = split_(list_, argc, argv);
  for (const OptionWord& word : found.words) {
    if (word.option == OptionWord::kOperand) {
      words.operands.push_back(word.text);
      continue;
    }
    const OptionText& option = list_.options[word.option];
    words.text_instead = text_instead_of(option.name, words.operands);
    if (!words.text_instead.empty()) return words;
    const bool has_value = option.value != nullptr;
    const std::string expected = apply(word.option, has_value ? word.text.c_str() : option.name);
    if (!expected.empty())
      return usage_error(wrong_value(std::string("--") + option.name, word.text, expected));
  }
  if (!found.error.empty()) return usage_error(found.error);
  return words;
}

}  // namespace physmem
