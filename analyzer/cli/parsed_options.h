// SPDX-License-Identifier: MIT
#pragma once

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
  bool is_physical = false;
  bool has_label = false;
  bool has_elf_root = false;
  bool has_size_unit = false;
  bool has_weight = false;
};

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

inline Error wrong_usage(const std::string& text) {
  return usage_error(kProgramName, text);
}

}  // namespace physmem
