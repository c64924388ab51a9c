// SPDX-License-Identifier: MIT
#include "analyzer/cli/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/cli/selection_options.h"
#include "analyzer/report/csv_files.h"
#include "program/option_value.h"
#include "program/printable.h"
#include "program/same_file.h"

namespace physmem {
namespace {

Status check_outputs(const ParsedOptions& options) {
  for (const std::string& output : {options.output, options.track_file}) {
    const auto is_read = [&](const std::string& input) { return is_same_file(input, output); };
    if (!output.empty() && std::any_of(options.inputs.begin(), options.inputs.end(), is_read))
      return wrong_usage(options, "found " + in_quotes(output, kWholePath) +
                                      " as input and as output, expected different files");
  }
  if (!options.track_file.empty() && is_same_output(options.track_file, options.output))
    return wrong_usage(options, "found " + in_quotes(options.track_file, kWholePath) +
                                    " as --track and as --output, expected different files");
  return {};
}

bool writes_csv(const Options& options) {
  if (options.format) return *options.format == Format::kCsv;
  return any_asked(options, [](const auto& one) { return one.natural == Format::kCsv; });
}

/// Another answer would not fit into a file for a monitoring system.
Status check_metrics(const ParsedOptions& options) {
  if (!options.questions.contains("metrics")) return {};
  for (const std::string& question : options.questions)
    if (question != "metrics")
      return wrong_usage(options,
                         conflicts_with(asked_as(options, "metrics"), asked_as(options, question)));
  if (!options.track_file.empty())
    return wrong_usage(options, conflicts_with(asked_as(options, "metrics"), "--track"));
  if (options.format && *options.format != Format::kText)
    return wrong_usage(options, fmt::format("{}: found {}, expected text: metrics have one form",
                                            asked_as(options, "metrics"), chosen_form(options)));
  return {};
}

/// Options that select pages, and would leave an answer of another question as it is.
constexpr std::array<std::string_view, 4> kOfAllAnswers{"node", "zone", "tier", "by"};

bool is_own_option(std::string_view option) {
  const auto all = questions();
  return std::any_of(all.begin(), all.end(),
                     [option](const QuestionText& question) { return question.has(option); });
}

bool changes_answer(const ParsedOptions& options, std::string_view option) {
  const auto has = [option](const QuestionText& question) { return question.has(option); };
  const bool has_whole = is_for_export(options) || !options.track_file.empty();
  if (std::find(kOfAllAnswers.begin(), kOfAllAnswers.end(), option) != kOfAllAnswers.end())
    return !any_asked(options, std::not_fn(has));
  return any_asked(options, has) || (has_whole && has(question_text("export"))) ||
         options.questions.contains(std::string(option)) ||
         (option == "full" && is_for_fleet(options)) || option == "fail-on-alert";
}

/// An option that would change nothing is a mistake.
Status check_effects(const ParsedOptions& options) {
  for (const std::string_view option : options.given)
    if (is_own_option(option) && !changes_answer(options, option))
      return wrong_usage(options, requires_option(fmt::format("--{}", option), those_with(option)));
  if (options.has("physical") && options.is_virtual)
    return wrong_usage(options, conflicts_with("--physical", "--virtual"));
  if (options.has("label") && options.track_file.empty())
    return wrong_usage(options, requires_option("--label", "--track"));
  if (options.at && (is_for_fleet(options) ||
                     any_asked(options, [](const QuestionText& one) { return one.of_series; })))
    return wrong_usage(options, conflicts_with("--at", "an answer about several snapshots"));
  if (options.for_spreadsheet && !writes_csv(options))
    return wrong_usage(options, requires_option("--spreadsheet", "CSV output, such as --csv,"));
  return {};
}

/// Questions about something that must be named.
Status check_set(const ParsedOptions& options) {
  if (options.questions.contains("frame") && options.frames.empty())
    return wrong_usage(options, asked_as(options, "frame") +
                                    ": found no number, expected those of frames, such as 1057750 "
                                    "or 0x1023d6");
  if (!options.questions.contains("if-stopped")) return {};
  if (asks_for_sets(options)) {
    if (options.group != UseGrouping::kUnit) return {};
    return wrong_usage(options, wrong_value("--group", "file",
                                            "process, command, program, tree, "
                                            "user or cgroup"));
  }
  if (options.use.top) return wrong_usage(options, requires_option("--top", "--need or --group"));
  if (!options.only.is_all()) return {};
  return wrong_usage(options, asked_as(options, "if-stopped") +
                                  ": found no process, expected a process id, a word of a command, "
                                  "--pid, --command, --user, --cgroup, --group or --need");
}

/// The number of tables of the answers as CSV.
std::size_t csv_tables(const Options& options) {
  std::size_t tables = options.track_file.empty() ? 0 : 1;
  for (const QuestionText* const question : asked(options))
    tables += options.is_full ? question->full_tables : 1;
  return tables;
}

std::string those_with_pictures(const Options& options) {
  const bool is_verb = options.command != kProgramName;
  std::string names;
  for (const QuestionText& question : questions())
    if (question.has_picture && (question.is_verb() || !is_verb))
      names += (names.empty() ? "" : ", ") + asked_as(options, question);
  return names;
}

Status check_form(const Options& options) {
  if (options.format == Format::kCsv) return check_csv_tables(options.output, csv_tables(options));
  if (!options.format || !is_picture(*options.format)) return {};
  if (options.questions.empty())
    return Error{Error::Kind::kUsage,
                 fmt::format("--track has no form --{}", name(*options.format))};
  for (const QuestionText* const question : asked(options))
    if (!question->has_picture)
      return Error{Error::Kind::kUsage,
                   fmt::format("{} has no form --{}: these have: {}", asked_as(options, *question),
                               name(*options.format), those_with_pictures(options))};
  return {};
}

}  // namespace

Status check_options(const ParsedOptions& options) {
  if (Status status = check_outputs(options); !status) return status;
  if (Status status = check_effects(options); !status) return status;
  if (Status status = check_metrics(options); !status) return status;
  if (Status status = check_set(options); !status) return status;
  if (Status status = check_selection(options); !status) return status;
  return is_for_fleet(options) ? Status() : check_form(options);
}

}  // namespace physmem
