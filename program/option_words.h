// SPDX-License-Identifier: MIT
// The words of a command line as options with their values, and operands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "program/option_text.h"

namespace physmem {

struct OptionWord {
  static constexpr std::size_t kOperand = static_cast<std::size_t>(-1);
  std::size_t option;  ///< index in OptionList::options, or kOperand
  std::string text;    ///< the value or the operand
};

struct OptionWords {
  std::vector<OptionWord> words;  ///< in their order
  std::string error;  ///< about the word after them; empty: all words of the line are in `words`
};

/// Long options must be written out, short ones may be joined, and `--` ends the options.
using SplitOptions = OptionWords(const OptionList& list, int argc, char* argv[]);

/// With getopt_long(), for programs that link no more than the C library.
SplitOptions getopt_words;

/// With Boost.Program_options; in the library physmem::boost_words.
SplitOptions boost_words;

/// `unknown option WORD`, with the option whose name is closest, if one is close.
std::string unknown_option(const OptionList& list, const std::string& word);
/// The known word that a user may have meant: one that begins with it, or differs in one letter, in
/// two if it is long. Empty: none is close.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& known);
std::string missing_value(const std::string& word);
std::string surplus_value(const std::string& word);

}  // namespace physmem
