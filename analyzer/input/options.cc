// SPDX-License-Identifier: MIT
#include "analyzer/input/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/input/snapshot_files.h"
#include "program/memory_limit.h"

namespace physmem {

std::string ask_word(std::string_view question) {
  if (std::find(kPaperReports.begin(), kPaperReports.end(), question) != kPaperReports.end())
    return "";
  return question == "processes"      ? "ps"
         : question == "mappings"     ? "units"
         : question == "private-text" ? "alerts"
                                      : std::string(question);
}

std::string option_of(std::string_view question) {
  const std::string word = ask_word(question);
  return word.empty() ? "--" + std::string(question) : "--ask " + word;
}

std::string_view name(Format format) {
  constexpr std::array<std::string_view, 9> kNames{"text", "csv", "json",   "ps",      "pdf",
                                                   "svg",  "png", "sqlite", "perfetto"};
  return kNames[static_cast<std::size_t>(format)];
}

bool is_for_fleet(const Options& options) {
  return options.is_fleet ||
         std::any_of(options.inputs.begin(), options.inputs.end(), is_directory);
}

std::string asked_questions(const Options& options) {
  std::vector<std::string> words;
  for (const std::string& question : options.questions) words.push_back(option_of(question));
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
  const auto is_asked = [&](const auto& questions) {
    return std::any_of(questions.begin(), questions.end(), [&](const char* question) {
      return options.questions.count(question) != 0;
    });
  };
  std::string problem = is_asked(kPageQuestions) ? filter.problem_of_pages() : "";
  if (problem.empty() && is_asked(kFrameQuestions)) problem = filter.problem_of_frames();
  return problem;
}

}  // namespace physmem
