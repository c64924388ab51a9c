// SPDX-License-Identifier: MIT
#include <algorithm>

#include "analyzer/input/questions.h"
#include "program/option_value.h"

namespace physmem {

const QuestionText& question_text(std::string_view name) {
  const auto all = questions();
  return *std::find_if(all.begin(), all.end(),
                       [name](const QuestionText& question) { return question.name == name; });
}

std::string option_of(const QuestionText& question) {
  return question.is_report ? std::string("--") + question.name
                            : std::string("--ask ") + question.word;
}

const QuestionText* question_of_output(std::string_view output) {
  const auto all = questions();
  const auto found = std::find_if(all.begin(), all.end(), [output](const QuestionText& question) {
    return question.ending != nullptr && output.ends_with(question.ending);
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string_view> endings() {
  std::vector<std::string_view> all;
  for (const FormText& form : forms())
    for (const char* const ending : form.endings)
      if (ending != nullptr) all.emplace_back(ending);
  for (const QuestionText& question : questions())
    if (question.ending != nullptr) all.emplace_back(question.ending);
  return all;
}

std::vector<std::string_view> endings_of(const QuestionText& question) {
  const auto is_of = [&question](std::string_view ending) {
    const auto form = form_of_ending(ending);
    if (!form)
      return question.ending != nullptr
                 ? ending == question.ending
                 : question.is_form && ending == question_text("folded").ending;
    if (is_export(*form)) return question.is_form;
    if (question.is_form) return false;
    return *form == Format::kText ||
           (question.ending == nullptr && (question.has_picture || !is_picture(*form)));
  };
  std::vector<std::string_view> all = endings();
  std::erase_if(all, [&](std::string_view ending) { return !is_of(ending); });
  return all;
}

std::string those_with(std::string_view option) {
  std::vector<std::string> options;
  bool asks = false;
  for (const bool is_report : {true, false})
    for (const QuestionText& question : questions()) {
      if (question.is_report != is_report || question.is_form || !question.has(option)) continue;
      const bool follows = asks;
      asks = !is_report;
      options.push_back(follows ? question.word : option_of(question));
    }
  return one_of({options.begin(), options.end()});
}

}  // namespace physmem
