// SPDX-License-Identifier: MIT
// The options of a program, stated once: what they set, and the texts of option_text.h.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/option_text.h"
#include "program/option_words.h"
#include "program/result.h"

namespace physmem {

/// A usage error: "TEXT (PROGRAM --help lists all options)".
Error usage_error(std::string_view program, const std::string& text);

/// The part of OptionTable that does not depend on the type of the options.
class OptionParser {
 public:
  OptionParser(const ProgramText& program, std::vector<OptionText> options,
               std::vector<OptionHeading> headings, SplitOptions* split,
               std::vector<VerbText> verbs);

  struct Words {
    std::string text_instead;  ///< the text of --help or --version; later words were not read
    std::vector<std::string> operands;
  };
  /// Calls `apply` for each option in order. It returns what it expected instead of the value;
  /// empty: the value is fine.
  using Apply = std::function<std::string(std::size_t option, const char* value)>;
  Result<Words> parse(int argc, char* argv[], const Apply& apply) const;

  const std::vector<OptionText>& texts() const { return list_.options; }
  /// The printed options, with the choices for their values.
  OptionList list(const Apply& apply) const;

 private:
  Error usage_error(const std::string& text) const;
  std::string build_file(int argc, char* argv[], const Apply& apply) const;
  std::string text_instead_of(const std::string& name,
                              const std::vector<std::string>& operands) const;

  OptionList list_;
  SplitOptions* split_;
};

template <class T>
struct OptionRow {
  OptionText text;
  /// Stores the value in the options; of an option without a value, its name. Returns what was
  /// expected instead; empty: the value is fine.
  std::string (*set)(T& options, const char* value);
};

template <class T>
struct OptionGroup {
  const char* heading;
  std::vector<OptionRow<T>> rows;
};

/// `program` must live as long as the table. -h, --help and --version are added, and the hidden
/// --man-page, --bash-completion, --zsh-completion and --fish-completion, which print those files.
template <class T>
class OptionTable {
 public:
  OptionTable(const ProgramText& program, const std::vector<OptionGroup<T>>& groups,
              SplitOptions* split = getopt_words, std::vector<VerbText> verbs = {})
      : program_(program),
        parser_(program, texts_of(groups), headings_of(groups), split, std::move(verbs)) {
    for (const OptionGroup<T>& group : groups)
      for (const OptionRow<T>& row : group.rows) setters_.push_back(row.set);
  }

  OptionTable(const ProgramText& program, const std::vector<OptionGroup<T>>& groups,
              std::vector<VerbText> verbs)
      : OptionTable(program, groups, getopt_words, std::move(verbs)) {}
  OptionTable(const ProgramText& program, std::vector<VerbText> verbs)
      : OptionTable(program, {}, getopt_words, std::move(verbs)) {}

  const std::vector<OptionText>& texts() const { return parser_.texts(); }

  /// T::given, if there is one, gets the names of the options in the command line.
  Result<OptionParser::Words> parse(int argc, char* argv[], T& options) const {
    return parser_.parse(argc, argv, [&](std::size_t option, const char* value) {
      if constexpr (requires { options.given; }) options.given.insert(texts()[option].name);
      return setters_[option](options, value);
    });
  }

  OptionList list() const {
    T options;
    return parser_.list(
        [&](std::size_t option, const char* value) { return setters_[option](options, value); });
  }

  /// Reads all options of a command. `finish` checks them together, and returns the options that
  /// the program uses. For --help and --version it is not called: T::text_instead has the text.
  template <class Options>
  Result<Options> read(int argc, char* argv[],
                       Result<Options> (*finish)(T options,
                                                 const std::vector<std::string>& operands)) const {
    T options;
    Result<OptionParser::Words> words = parse(argc, argv, options);
    if (!words) return words.error();
    options.text_instead = std::move(words->text_instead);
    if (!options.text_instead.empty()) return static_cast<Options&&>(options);
    return finish(std::move(options), words->operands);
  }

 private:
  static std::vector<OptionText> texts_of(const std::vector<OptionGroup<T>>& groups) {
    std::vector<OptionText> texts;
    for (const OptionGroup<T>& group : groups)
      for (const OptionRow<T>& row : group.rows) texts.push_back(row.text);
    return texts;
  }
  static std::vector<OptionHeading> headings_of(const std::vector<OptionGroup<T>>& groups) {
    std::vector<OptionHeading> headings;
    std::size_t first = 0;
    for (const OptionGroup<T>& group : groups) {
      headings.push_back({group.heading, first});
      first += group.rows.size();
    }
    return headings;
  }

  const ProgramText& program_;
  OptionParser parser_;
  std::vector<std::string (*)(T&, const char*)> setters_;
};

/// For a program that takes options only: an error if there is an operand.
Status refuse_operands(const ProgramText& program, const std::vector<std::string>& operands,
                       const char* expected = "options only");

/// Setters for members of any type of options: set_true<&Options::follows>.
template <auto kMember, class T>
std::string set_true(T& options, const char* /*value*/) {
  options.*kMember = true;
  return {};
}
template <auto kMember, class T>
std::string set_false(T& options, const char* /*value*/) {
  options.*kMember = false;
  return {};
}
template <auto kMember, class T>
std::string set_text(T& options, const char* value) {
  options.*kMember = value;
  return {};
}

}  // namespace physmem
