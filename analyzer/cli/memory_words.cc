// SPDX-License-Identifier: MIT
#include "analyzer/cli/memory_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "program/memory_limit.h"

namespace physmem {

std::string asked_questions(const Options& options) {
  std::vector<std::string> words;
  for (const std::string& question : options.questions) words.push_back("--" + question);
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

}  // namespace physmem
