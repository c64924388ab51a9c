// SPDX-License-Identifier: MIT
// The rows of an option table: parsing, error messages, --help, the man page and shell completion
// are made of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace physmem {

/// What --help and the man page print besides the options.
struct ProgramText {
  const char* name;
  const char* purpose;   ///< one line
  const char* usage;     ///< lines such as "  physmem-trace [OPTION]...", each ended by a newline
  const char* notes;     ///< paragraphs between usage and options; may be empty
  const char* sections;  ///< after the options: a line at the left margin begins a section
  const char* related = "";       ///< other manual pages: "physmem-analyze(1), pftraced(8)"
  char manual = '1';              ///< section of the man page: 8 for a daemon
  const char* command = nullptr;  ///< as it is typed, if that is not its name; for messages
};

struct OptionText {
  char letter;       ///< of the short form; 0: none
  const char* name;  ///< of the long form, without dashes
  /// Word for its value in --help; nullptr: it takes none. "[=WORD]": the value may be missing.
  const char* value;
  const char* help;                ///< wrapped at 80 columns; a newline in it begins a line
  const char* fallback = nullptr;  ///< value without the option, printed as "[default: …]"
  const char* example = nullptr;   ///< a typical value, printed as "[example: …]"
  const char* old_name = nullptr;  ///< an older spelling, accepted but not printed
  bool is_hidden = false;          ///< an older option, accepted but not printed
};

struct OptionHeading {
  const char* text;
  std::size_t first;  ///< index of the option below it
};

struct OptionList;

/// The first word of a command line that selects what the program does, or another program.
struct VerbText {
  const char* name;
  const char* help;     ///< one line
  const char* program;  ///< whose options follow; nullptr: another verb follows, as after help
  /// The text of --help after this verb; nullptr: the program's.
  std::string (*page)(const OptionList& list, const VerbText& verb) = nullptr;
  /// The words that may follow it, as "one, two or three", for completion; empty: any word.
  const char* next = "";
  const OptionList* options = nullptr;  ///< of a verb of this program that has its own
};

/// The words that a value may be, for completion.
struct ValueChoices {
  std::vector<std::string> words;  ///< empty: any text
  bool is_list = false;            ///< several, separated by commas
};

/// All options of a program, --help and --version included.
struct OptionList {
  const ProgramText& program;
  std::vector<OptionText> options;
  std::vector<OptionHeading> headings;
  std::vector<VerbText> verbs = {};
  std::vector<ValueChoices> choices = {};  ///< of each option; made only for completions
};

/// Whether the option may be given without its value, which is then empty.
inline bool has_optional_value(const OptionText& option) {
  return option.value != nullptr && option.value[0] == '[' && option.value[1] == '=';
}

/// The option's help with its example and its default.
std::string full_help(const OptionText& option);

/// The text of --help; at most 80 columns wide if `usage`, `notes` and `sections` are.
std::string help_of(const OptionList& list);

}  // namespace physmem
