// SPDX-License-Identifier: MIT
#include "analyzer/input/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "analyzer/input/snapshot_files.h"
#include "program/memory_limit.h"

namespace physmem {

SizeUnit size_unit(const Options& options, Format format) {
  return options.use.unit.value_or(is_data(format) ? SizeUnit::kBytes : SizeUnit::kMib);
}

std::vector<const QuestionText*> asked(const Options& options) {
  std::vector<const QuestionText*> found;
  for (const QuestionText& question : questions())
    if (options.questions.contains(question.name)) found.push_back(&question);
  return found;
}

bool is_for_fleet(const Options& options) {
  // Metrics are of one machine, so a directory is refused.
  const auto is_of_fleet = [](const std::string& name) {
    return question_text(name).of_fleet || question_text(name).replaces_output;
  };
  return options.is_fleet ||
         (std::any_of(options.inputs.begin(), options.inputs.end(), is_directory) &&
          std::all_of(options.questions.begin(), options.questions.end(), is_of_fleet));
}

bool takes_last(const Options& options, const std::string& input) {
  const auto is_of_last = [](const std::string& name) { return question_text(name).of_last; };
  std::error_code error;  // such an input is reported when it is opened
  return !options.at && !options.is_over_time && !options.keep_going &&
         options.format != Format::kJson && options.track_file.empty() &&
         !options.questions.empty() &&
         std::all_of(options.questions.begin(), options.questions.end(), is_of_last) &&
         std::filesystem::is_regular_file(input, error);
}

ProcessFilter processes_of(const Options& options) {
  ProcessFilter only = options.only;
  const auto asks_processes = [](const QuestionText& one) {
    return !one.rows_are_cgroups && !one.frames_have_payers;
  };
  if (!any_asked(options, asks_processes)) only.cgroups.clear();
  return only;
}

std::string asked_as(const Options& options, const QuestionText& question) {
  return options.command != kProgramName && question.is_verb() ? question.word
                                                               : option_of(question);
}

std::string asked_questions(const Options& options) {
  std::vector<std::string> words;
  for (const std::string& question : options.questions)
    words.push_back(asked_as(options, question));
  if (!options.track_file.empty()) words.emplace_back("--track");
  return fmt::format("{}", fmt::join(words, " and "));
}

Error memory_error(const std::string& subject, const Options& options) {
  std::vector<std::string> advice{"allow more"};
  if (options.questions.size() > 1) advice.emplace_back("ask fewer questions at once");
  if (options.only.is_all() && !is_for_fleet(options))
    advice.emplace_back("choose processes (--pid)");
  if (options.jobs > 1) advice.emplace_back("use --jobs 1");
  return {Error::Kind::kIo, memory_refusal(subject, fmt::format("{}", fmt::join(advice, " or ")))};
}

std::string selection_problem(const Options& options, const FrameFilter& filter) {
  const bool has_pages = any_asked(options, [](const auto& one) { return one.has("pid"); });
  const bool has_frames = any_asked(options, [](const auto& one) { return one.counts_frames; });
  std::string problem = has_pages ? filter.problem_of_pages() : "";
  if (problem.empty() && has_frames) problem = filter.problem_of_frames();
  return problem;
}

}  // namespace physmem
