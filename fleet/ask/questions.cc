// SPDX-License-Identifier: MIT
#include "fleet/ask/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fleet/ask/answers.h"
#include "program/option_value.h"

namespace physmem::fleet {
namespace {

// Name, help, answer, is it of files, does it have an archive, a picture.
constexpr std::array<QuestionRow, 8> kQuestions{{
    {"units", "what programs and libraries cost all hosts", units_answer, true, false, true},
    {"hosts", "the latest snapshot of each", hosts_answer, false, true, true},
    {"changes", "files before and after a time, which --since sets", changes_answer, true, false,
     true},
    {"trend", "memory of files, by day", trend_answer, true, false, true},
    {"leaks", "commands whose memory grows", leaks_answer, false, true, true},
    {"gaps", "missing snapshots, hosts that are late", gaps_answer, false, false, false},
    {"alerts", "which opened, closed and are still open", alerts_answer, true, false, false},
    {"snapshots", "those in the archive", snapshots_answer, false, true, false},
}};

}  // namespace

std::span<const QuestionRow> questions() {
  return kQuestions;
}

const QuestionRow* find_question(std::string_view name) {
  const auto* const found = std::find_if(kQuestions.begin(), kQuestions.end(),
                                         [&](const QuestionRow& row) { return row.name == name; });
  return found == kQuestions.end() ? nullptr : found;
}

const std::string& question_form() {
  static const std::string kForm = [] {
    std::vector<std::string_view> names;
    names.reserve(std::size(kQuestions));
    for (const QuestionRow& question : kQuestions) names.push_back(question.name);
    return one_of(names);
  }();
  return kForm;
}

std::string picture_form() {
  std::vector<std::string_view> names;
  for (const QuestionRow& question : kQuestions)
    if (question.has_picture) names.push_back(question.name);
  return one_of(names);
}

std::string help_of_questions() {
  std::string help;
  for (const QuestionRow& question : kQuestions)
    help += fmt::format("  {:<9}  {}\n", question.name, question.help);
  return help;
}

}  // namespace physmem::fleet
