// SPDX-License-Identifier: MIT
#include <algorithm>
#include <boost/program_options.hpp>
#include <map>
#include <string_view>

#include "program/option_words.h"

namespace physmem {
namespace {

namespace po = boost::program_options;

/// Boost's description of the options, and their indices by name.
struct Description {
  explicit Description(const std::vector<OptionText>& texts);

  po::options_description options;
  std::map<std::string, std::size_t> index;
};

Description::Description(const std::vector<OptionText>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const OptionText& text = texts[i];
    for (const char* name : {text.name, text.old_name}) {
      if (name == nullptr) continue;
      index[name] = i;
      std::string names = name;
      if (name == text.name && text.letter != 0) names += std::string(",") + text.letter;
      if (text.value == nullptr)
        options.add_options()(names.c_str(), "");
      else if (has_optional_value(text))
        options.add_options()(names.c_str(), po::value<std::string>()->implicit_value(""), "");
      else
        options.add_options()(names.c_str(), po::value<std::string>(), "");
    }
  }
}

/// "--name" of "--name=value", and "-x" if x is the first unknown letter of "-qx".
std::string unknown_name(const OptionList& list, const std::string& word) {
  if (word.starts_with("--")) return word.substr(0, word.find('='));
  const auto is_unknown = [&list](char letter) {
    return std::ranges::none_of(list.options,
                                [letter](const OptionText& o) { return o.letter == letter; });
  };
  const auto letter = std::find_if(word.begin() + 1, word.end(), is_unknown);
  return letter == word.end() ? word : std::string("-") + *letter;
}

/// Does not call error.what(): Boost 1.74 replaces placeholders such as %value% in its messages
/// until none is left, which never ends if an argument contains one.
std::string text_of(const OptionList& list, const po::error& error) {
  if (const auto* const named = dynamic_cast<const po::unknown_option*>(&error))
    return unknown_option(list, unknown_name(list, named->get_option_name()));
  const auto* const syntax = dynamic_cast<const po::invalid_syntax*>(&error);
  if (syntax == nullptr) return "the options cannot be read";
  using Kind = po::invalid_syntax::kind_t;
  const std::string word = syntax->get_option_name();
  return syntax->kind() == Kind::missing_parameter ? missing_value(word) : surplus_value(word);
}

}  // namespace

OptionWords boost_words(const OptionList& list, int argc, char* argv[]) {
  const Description description(list.options);
  OptionWords words;
  try {
    using Style = po::command_line_style::style_t;
    const po::parsed_options parsed = po::command_line_parser(argc, argv)
                                          .options(description.options)
                                          .style(Style::unix_style & ~Style::allow_guessing)
                                          .run();
    for (const po::option& option : parsed.options) {
      const bool is_operand = option.position_key >= 0;
      const std::size_t index =
          is_operand ? OptionWord::kOperand : description.index.at(option.string_key);
      words.words.push_back({index, option.value.empty() ? "" : option.value.front()});
    }
  } catch (const po::error& error) {
    words.error = text_of(list, error);
  }
  return words;
}

}  // namespace physmem
