// SPDX-License-Identifier: MIT
#include "tools/physmem/verb_words.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "analyzer/input/questions.h"
#include "program/printable.h"

namespace physmem::command {
namespace {

Error refusal(const std::string& text) {
  return {Error::Kind::kUsage, text};
}

bool ends_in_one_of(std::string_view path, const std::vector<std::string_view>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [path](std::string_view ending) { return path.ends_with(ending); });
}

/// The value of --output, in any spelling. Nothing if the option is not given.
std::optional<std::string> output_in(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word == "-o" || word == "--output")
      return i + 1 < words.size() ? words[i + 1] : std::string();
    if (word.starts_with("--output=")) return word.substr(word.find('=') + 1);
    if (word.starts_with("-o")) return word.substr(2);
  }
  return std::nullopt;
}

bool is_asked_instead(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "-h" || word == "--help" || word == "--version" || word == "--man-page";
  });
}

bool writes_to_terminal(const std::vector<std::string>& words) {
  return ::isatty(STDOUT_FILENO) == 1 && !is_asked_instead(words) &&
         output_in(words).value_or("-") == "-";
}

}  // namespace

Status check_record(const std::vector<std::string>& words) {
  const auto is_metrics = [](const std::string& word) { return word.starts_with("--metrics"); };
  if (std::any_of(words.begin(), words.end(), is_metrics)) return {};
  const auto exported = endings_of(question_text("export"));
  for (const std::string& word : words)
    if (ends_in_one_of(word, exported))
      return refusal(
          fmt::format("record: found {}, expected the name of a snapshot, such as snap.pmc.zst or "
                      "snap.txt; physmem export -o FILE writes databases, stacks and traces",
                      in_quotes(word)));
  return {};
}

Status check_convert(const std::vector<std::string>& words) {
  if (!writes_to_terminal(words)) return {};
  return refusal("convert: found no --output and a terminal as output, expected -o FILE or a pipe");
}

}  // namespace physmem::command
