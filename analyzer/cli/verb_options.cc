// SPDX-License-Identifier: MIT
#include "analyzer/cli/verb_options.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "analyzer/parse/codec.h"
#include "program/missing_option.h"
#include "program/option_value.h"
#include "program/printable.h"

namespace physmem {
namespace {

constexpr std::string_view kSnapshotEndings[] = {".txt", ".pmc", ".gz", ".zst", ".xz", ".lz4"};

/// Options that all verbs have and none lists: they change how a snapshot is read.
constexpr const char* kOfAllVerbs[] = {"jobs",       "counts", "max-memory",
                                       "keep-going", "fleet",  "spreadsheet"};

OptionRows all_rows() {
  OptionRows all;
  for (OptionGroup<ParsedOptions>& group : option_groups())
    for (OptionRow<ParsedOptions>& row : group.rows) all.push_back(row);
  return all;
}

const OptionRow<ParsedOptions>& row_of(const OptionRows& all, std::string_view name) {
  return *std::find_if(all.begin(), all.end(),
                       [name](const auto& row) { return row.text.name == name; });
}

const OptionRow<ParsedOptions> kRamRow{
    {0, "ram", "[=WHAT]",
     "how all of RAM is read, if no snapshot is named: frames, by the best way that works here; "
     "kcore; bpf; proc; or totals, only the kernel's sums (see physmem-collect)",
     "frames"},
    set_text<&Options::ram>};

/// The operand of `maps PID` becomes the selected processes.
Status take_pid(ParsedOptions& options, std::vector<std::string>& operands) {
  const std::string found = operands.empty() ? "nothing" : in_quotes(operands.front());
  if (options.has("pid")) return {};
  if (operands.empty() ||
      !add_pids<&Options::only, &ProcessFilter::pids>(options, operands.front().c_str()).empty())
    return wrong_usage(
        options, fmt::format("found {}, expected a process id: {} PID", found, options.command));
  operands.erase(operands.begin());
  return {};
}

/// The operands of `frame NUMBER...` become --frames. An existing file is a snapshot.
Status take_frames(ParsedOptions& options, std::vector<std::string>& operands) {
  const auto end = std::ranges::find_if(operands, [](const std::string& word) {
    return !whole_number(word) || ::access(word.c_str(), F_OK) == 0;
  });
  for (auto word = operands.begin(); word != end; ++word) {
    const std::uint64_t number = *whole_number(*word);
    if (std::ranges::find(options.frames, number) == options.frames.end())
      options.frames.push_back(number);
  }
  const std::string found = operands.empty() ? "nothing" : in_quotes(operands.front());
  operands.erase(operands.begin(), end);
  if (!options.frames.empty()) return {};
  return wrong_usage(options,
                     fmt::format("found {}, expected the number of a frame, such as 1057750 or "
                                 "0x1023d6: {} NUMBER",
                                 found, options.command));
}

/// A regular expression, as in NamePattern.
bool is_expression(const std::string& word) {
  return word.size() > 2 && word.front() == '/' && word.back() == '/' &&
         ::access(word.c_str(), F_OK) != 0;
}

/// A program or library: no snapshot. Of a pipe nothing is read here.
bool is_program(const std::string& word) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(word, error)) return false;
  std::array<char, 4> magic{};
  std::ifstream(word).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) ==
         "\x7f"
         "ELF";
}

bool has_ending_of_snapshot(std::string_view word) {
  return std::any_of(std::begin(kSnapshotEndings), std::end(kSnapshotEndings),
                     [word](std::string_view ending) { return word.ends_with(ending); });
}

/// Names that only a snapshot has, also if there is none of this name.
bool is_name_of_snapshot(std::string_view word) {
  return word == "-" || word.find('/') != std::string_view::npos ||
         ::access(std::string(word).c_str(), F_OK) == 0 || has_ending_of_snapshot(word);
}

/// The option that a word is the value of: what the rows are, else processes.
const char* option_for(const std::string& word, const QuestionText& question,
                       const ParsedOptions& options) {
  const bool has_groups = question.has("group") && !question.compares_two;
  if (question.words_are_files || is_program(word) ||
      (has_groups && options.group == UseGrouping::kUnit))
    return "file";
  if (question.word == std::string_view("users") ||
      (has_groups && options.group == UseGrouping::kUser))
    return "user";
  if (question.rows_are_cgroups || (has_groups && options.group == UseGrouping::kCgroup))
    return "cgroup";
  return number_of<std::uint32_t>(word) ? "pid" : "command";
}

/// A part of a name is enough. Numbers, patterns and paths are as they are.
std::string value_of(const std::string& word, std::string_view option) {
  std::error_code error;
  if (is_program(word)) return std::filesystem::canonical(word, error);
  const bool is_whole = option == "pid" || option == "user" || is_expression(word) ||
                        word.find_first_of("*?[") != std::string::npos;
  return is_whole ? word : "*" + word + "*";
}

/// Whether the file begins as a snapshot: with a record, in the compact form, or compressed.
bool is_snapshot(const std::string& path) {
  std::array<char, kMagicSize> begin{};
  std::ifstream(path).read(begin.data(), begin.size());
  const std::string_view text(begin.data(), begin.size());
  const bool is_record = std::string_view("HTGVZ").find(text[0]) != std::string_view::npos &&
                         text.substr(1, 2) == ": ";
  return is_record || text.starts_with("\x89PMC") || codec_for(text) != nullptr;
}

/// A file that is no snapshot, or a folder that has none and whose folders have none. Only files
/// that are named like snapshots are read: to read others, such as those of /proc, can have
/// effects.
bool is_asked_path(const std::string& word) {
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error)) return !is_snapshot(word);
  if (!std::filesystem::is_directory(word, error)) return false;
  constexpr auto kDenied = std::filesystem::directory_options::skip_permission_denied;
  std::filesystem::recursive_directory_iterator entries(word, kDenied, error);
  const std::filesystem::recursive_directory_iterator end;
  for (; !error && entries != end; entries.increment(error)) {
    if (entries.depth() == 1) entries.disable_recursion_pending();
    if (has_ending_of_snapshot(entries->path().native()) && entries->is_regular_file(error) &&
        is_snapshot(entries->path()))
      return false;
  }
  return true;
}

/// Of this machine, paths are counted; of a snapshot they select files.
Status take_paths(const OptionRows& all, ParsedOptions& options,
                  std::vector<std::string>& operands) {
  const auto paths = std::stable_partition(operands.begin(), operands.end(),
                                           [](const auto& word) { return !is_asked_path(word); });
  options.paths.assign(paths, operands.end());
  operands.erase(paths, operands.end());
  const bool has_snapshot = std::any_of(operands.begin(), operands.end(), [](const auto& word) {
    return is_name_of_snapshot(word) && !is_expression(word);
  });
  if (!has_snapshot) return {};
  for (const std::string& path : std::exchange(options.paths, {})) {
    std::error_code error;
    const std::string whole = std::filesystem::canonical(path, error);
    const bool is_folder = std::filesystem::is_directory(path, error);
    row_of(all, "file").set(options, (is_folder ? whole + "/*" : whole).c_str());
    options.given.insert("file");
    options.words.push_back(path);
  }
  return {};
}

/// Operands that are no snapshots select what is asked about: "ps chromium", "ps 1234",
/// "units libssl", "users root".
Status take_words(const QuestionText& question, const OptionRows& all, ParsedOptions& options,
                  std::vector<std::string>& operands) {
  std::vector<std::string> inputs;
  std::set<std::string_view> used;
  for (const std::string& word : operands) {
    if (word.empty())
      return wrong_usage(options, "found an empty word, expected a snapshot or a name");
    const char* const option = option_for(word, question, options);
    const bool selects = is_expression(word) || is_program(word) || !is_name_of_snapshot(word);
    if (!selects || !question.has(option)) {
      inputs.push_back(word);
      continue;
    }
    used.insert(option);
    const std::string expected = row_of(all, option).set(options, value_of(word, option).c_str());
    if (!expected.empty()) return wrong_usage(options, wrong_value(word, word, expected));
    options.words.push_back(word);
  }
  options.only.has_ids_or_names = used.contains("pid") && used.contains("command");
  options.given.insert(used.begin(), used.end());
  operands = std::move(inputs);
  return {};
}

/// The ending of an export must not be the ending of an answer.
Status check_ending(const QuestionText& question, const ParsedOptions& options) {
  const QuestionText& whole = question_text("export");
  if (&question == &whole) return {};
  for (const std::string_view ending : endings_of(whole))
    if (options.output.ends_with(ending))
      return wrong_usage(
          options, fmt::format("--output: found {}, expected the name of a report; physmem export "
                               "-o FILE [SNAPSHOT] writes databases, stacks and traces",
                               in_quotes(options.output)));
  return {};
}

}  // namespace

VerbOptions::VerbOptions(const QuestionText& question, const ProgramText& program)
    : question_(question),
      program_(program),
      output_help_(fmt::format("write to FILE, which appears whole or not at all. Its ending "
                               "selects the form: {}",
                               one_of(endings_of(question)))),
      table_(program, {{"OPTIONS", rows()}}, boost_words) {}

OptionRow<ParsedOptions> VerbOptions::own_row(const OwnOption& option,
                                              const OptionRows& all) const {
  OptionRow<ParsedOptions> row = row_of(all, option.name);
  row.text.is_hidden = false;
  if (option.help.empty()) return row;
  row.text.help = option.help.c_str();
  row.text.fallback = option.fallback;
  row.text.example = nullptr;
  return row;
}

OptionRows VerbOptions::rows() {
  const OptionRows all = all_rows();
  OptionRows own;
  for (const OwnOption& option : question_.options) own.push_back(own_row(option, all));
  if (question_.collect.ram) own.push_back(kRamRow);
  for (const FormText& form : forms())
    if (const auto endings = endings_of(question_);
        question_.has_all_forms() &&
        std::find(endings.begin(), endings.end(), form.endings[0]) != endings.end())
      own.push_back(row_of(all, form.name));
  if (question_.has_all_forms()) own.push_back(row_of(all, "json-lines"));
  own.push_back(row_of(all, "output"));
  own.back().text.help = output_help_.c_str();
  own.push_back(row_of(all, kAllowMissingOption.name));
  if (!question_.of_series && !question_.is_form) own.push_back(row_of(all, "at"));
  for (const char* const name : kOfAllVerbs) {
    own.push_back(row_of(all, name));
    own.back().text.is_hidden = true;
  }
  return own;
}

Result<Options> VerbOptions::parse(int argc, char* argv[]) const {
  ParsedOptions options;
  options.command = program_.command;
  if (!question_.is_form) options.questions.insert(question_.name);
  auto words = table_.parse(argc, argv, options);
  if (!words) return words.error();
  options.text_instead = std::move(words->text_instead);
  if (!options.text_instead.empty()) return static_cast<Options&&>(options);
  if (question_.operand == Operand::kPid)
    if (Status status = take_pid(options, words->operands); !status) return status.error();
  if (question_.operand == Operand::kFrames)
    if (Status status = take_frames(options, words->operands); !status) return status.error();
  if (question_.asks_paths)
    if (Status status = take_paths(all_rows(), options, words->operands); !status)
      return status.error();
  if (question_.operand != Operand::kBefore && question_.operand != Operand::kFrames)
    if (Status status = take_words(question_, all_rows(), options, words->operands); !status)
      return status.error();
  if (Status status = check_ending(question_, options); !status) return status.error();
  return finished(std::move(options), words->operands);
}

}  // namespace physmem
