// SPDX-License-Identifier: MIT
#include "tools/physmem/verb_words.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "analyzer/cli/parse_options.h"
#include "program/printable.h"

namespace physmem::command {
namespace {

/// Options of the program that change no answer, which all verbs have.
constexpr std::array<std::string_view, 8> kOfAllVerbs{
    "jobs", "max-memory", "keep-going", "counts", "spreadsheet", "fleet", "help", "version"};
/// The other forms of a verb with pictures.
constexpr std::array<std::string_view, 3> kPictures{"ps", "pdf", "png"};
constexpr std::array<std::string_view, 4> kExports{".db", ".sqlite", ".folded", ".perfetto-trace"};
constexpr std::array<std::string_view, 6> kReports{".csv", ".json", ".svg", ".png", ".pdf", ".ps"};

Error refusal(const std::string& text) {
  return {Error::Kind::kUsage, text};
}

bool has_option(const Verb& verb, std::string_view name) {
  return std::any_of(verb.options.begin(), verb.options.end(),
                     [name](const VerbOption& option) { return option.name == name; });
}

bool may_have(const Verb& verb, std::string_view name) {
  const auto is_in = [name](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has_option(verb, name) || is_in(kOfAllVerbs) ||
         (has_option(verb, "svg") && is_in(kPictures));
}

template <class Endings>
bool ends_in(std::string_view path, const Endings& endings) {
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

Status check_words(const Verb& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(2, word.find('=') - 2);
    if (may_have(verb, name) || option_texts({name.c_str()}).empty()) continue;
    return refusal(fmt::format("{}: --{}: not available (physmem help {} lists its options)",
                               verb.name, name, verb.name));
  }
  const auto output = output_in(words);
  if (verb.operand == Verb::Operand::kExport || !output || !ends_in(*output, kExports)) return {};
  return refusal(
      fmt::format("{}: --output: found {}, expected the name of a report; "
                  "physmem export -o FILE [SNAPSHOT] writes databases, stacks and "
                  "traces",
                  verb.name, in_quotes(*output)));
}

Status check_record(const std::vector<std::string>& words) {
  const bool has_metrics = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("--metrics");
  });
  if (has_metrics) return {};
  const std::string output = output_in(words).value_or("");
  if (ends_in(output, kExports) || ends_in(output, kReports))
    return refusal(fmt::format(
        "record: found {}, expected the name of a snapshot, such as "
        "snap.pmc.zst or snap.txt{}",
        in_quotes(output),
        ends_in(output, kExports) ? "; physmem export -o FILE writes databases, stacks and traces"
                                  : ""));
  if (writes_to_terminal(words))
    return refusal(
        "record: found no FILE and a terminal as output, expected a name such as snap.pmc.zst");
  return {};
}

Status check_convert(const std::vector<std::string>& words) {
  if (!writes_to_terminal(words)) return {};
  return refusal("convert: found no --output and a terminal as output, expected -o FILE or a pipe");
}

Error for_verb(const Verb& verb, Error error) {
  const std::string advice = fmt::format(" ({} --help lists all options)", verb.program);
  if (error.text.ends_with(advice)) {
    error.text.resize(error.text.size() - advice.size());
    error.text =
        fmt::format("{}: {} (physmem help {} lists its options)", verb.name, error.text, verb.name);
  }
  return error;
}

}  // namespace physmem::command
