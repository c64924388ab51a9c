// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/input/options.h"
#include "program/option_table.h"

namespace physmem {

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  ParsedOptions();

  std::vector<Format> forms;
  std::set<std::string_view> given;  ///< names of options; of a verb, only those that it has

  bool has(std::string_view option) const { return given.contains(option); }
};

/// "--csv", or "--output x.csv" if the ending of its name chose the form.
inline std::string chosen_form(const ParsedOptions& options) {
  const std::string form(name(*options.format));
  return options.has(form) ? "--" + form : "--output " + options.output;
}

/// Checks options together, after all were read.
Result<Options> finished(ParsedOptions options, const std::vector<std::string>& inputs);

/// Adds each word of a list with commas. Returns what `add` expects instead of a word, or nothing.
template <class Add>
std::string for_each_word(std::string_view list, Add add) {
  while (true) {
    const std::string_view word = list.substr(0, list.find(','));
    if (std::string expected = add(word); !expected.empty()) return expected;
    if (word.size() == list.size()) return {};
    list.remove_prefix(word.size() + 1);
  }
}

inline Error wrong_usage(const ParsedOptions& options, const std::string& text) {
  return usage_error(options.command, text);
}

}  // namespace physmem
