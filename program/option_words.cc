// SPDX-License-Identifier: MIT
#include "program/option_words.h"

#include <getopt.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace physmem {
namespace {

constexpr int kOperandFound = 1;  ///< getopt_long() returns it for a word without dashes
constexpr int kFirstLong = 256;   ///< values of getopt_long() above all letters

/// Single characters to add, remove, replace, or to exchange with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      const bool is_exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_exchanged) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

std::string suggestion_for(const OptionList& list, std::string_view word) {
  if (!word.starts_with("--")) return {};
  std::vector<std::string_view> names;
  for (const OptionText& option : list.options) names.emplace_back(option.name);
  const std::string_view nearest = nearest_word(word.substr(2), names);
  return nearest.empty() ? "" : "; did you mean --" + std::string(nearest) + "?";
}

/// The options as getopt_long() expects them.
struct GetoptForm {
  explicit GetoptForm(const std::vector<OptionText>& options);

  std::string letters = "-:";  ///< operands in their order, and ':' for a missing value
  std::vector<::option> longs;
  std::vector<std::size_t> options;  ///< index of the option of each of `longs`
};

GetoptForm::GetoptForm(const std::vector<OptionText>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const OptionText& text = texts[i];
    const int kind = text.value == nullptr      ? no_argument
                     : has_optional_value(text) ? optional_argument
                                                : required_argument;
    for (const char* name : {text.name, text.old_name}) {
      if (name == nullptr) continue;
      longs.push_back({name, kind, nullptr, kFirstLong + static_cast<int>(longs.size())});
      options.push_back(i);
    }
    if (text.letter == 0) continue;
    letters += text.letter;
    if (text.value != nullptr) letters += has_optional_value(text) ? "::" : ":";
  }
  longs.push_back({});
}

/// "--name" of "--name=value"; "-x" of a cluster such as "-qx".
std::string option_of(std::string_view word, int letter) {
  if (word.starts_with("--")) return std::string(word.substr(0, word.find('=')));
  return {'-', static_cast<char>(letter)};
}

bool is_known(const GetoptForm& form, const std::string& word) {
  return std::any_of(form.longs.begin(), form.longs.end() - 1,
                     [&word](const ::option& one) { return word == std::string("--") + one.name; });
}

class GetoptReader {
 public:
  GetoptReader(const OptionList& list, int argc, char* argv[])
      : list_(list), form_(list.options), argc_(argc), argv_(argv) {
    opterr = 0;
    optind = 0;  // begin from the first word: tests parse more than once
  }

  /// False at the end of the options and after an error.
  bool read(OptionWords& to) {
    const int at = optind == 0 ? 1 : optind;
    const int found =
        ::getopt_long(argc_, argv_, form_.letters.c_str(), form_.longs.data(), nullptr);
    if (found < 0) return false;
    if (found == kOperandFound) {
      to.words.push_back({OptionWord::kOperand, optarg});
      return true;
    }
    const std::string word = option_of(argv_[at], optopt);
    to.error = error_of(found, word, argv_[at]);
    if (!to.error.empty()) return false;
    to.words.push_back({index_of(found), optarg == nullptr ? "" : optarg});
    return true;
  }

 private:
  std::string error_of(int found, const std::string& word, std::string_view whole) const {
    if (found == ':') return missing_value(word);
    if (found == '?' && whole.starts_with(word + "=") && is_known(form_, word))
      return surplus_value(word);
    // getopt_long() accepts any unambiguous beginning of a name.
    if (found == '?' || (found >= kFirstLong && !is_known(form_, word)))
      return unknown_option(list_, word);
    return {};
  }

  std::size_t index_of(int found) const {
    if (found >= kFirstLong) return form_.options[static_cast<std::size_t>(found - kFirstLong)];
    const auto& all = list_.options;
    const auto of_letter = std::find_if(all.begin(), all.end(), [found](const OptionText& option) {
      return option.letter == found;
    });
    return static_cast<std::size_t>(of_letter - all.begin());
  }

  const OptionList& list_;
  const GetoptForm form_;
  const int argc_;
  char** const argv_;
};

}  // namespace

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kShort = 4;  // a short word is close to any other
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  std::string_view nearest;
  if (word.empty()) return nearest;
  std::size_t least = lower.size() > kShort ? 3 : 2;
  for (const std::string_view name : known) {
    const std::size_t found = name.starts_with(lower) ? 0 : distance(lower, name);
    if (found >= least || found >= name.size()) continue;
    nearest = name;
    least = found;
  }
  return nearest;
}

std::string unknown_option(const OptionList& list, const std::string& word) {
  return "unknown option " + word + suggestion_for(list, word);
}

std::string missing_value(const std::string& word) {
  return "option " + word + " requires a value";
}

std::string surplus_value(const std::string& word) {
  return "option " + word + " takes no value";
}

OptionWords getopt_words(const OptionList& list, int argc, char* argv[]) {
  OptionWords words;
  GetoptReader reader(list, argc, argv);
  while (reader.read(words)) continue;
  if (!words.error.empty()) return words;
  for (int i = optind; i < argc; ++i) words.words.push_back({OptionWord::kOperand, argv[i]});
  return words;
}

}  // namespace physmem
