// SPDX-License-Identifier: MIT
// What can be asked of snapshots: the reports of the paper, and the questions, which are also the
// verbs of physmem. Help, completion, manual pages, checks and verbs are made of this table;
// analyzer/cli/question_table.cc has what computes each answer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/input/question_text.h"

namespace physmem {

/// In the order of their answers.
std::span<const QuestionText> questions();

/// The row of a name in the table.
const QuestionText& question_text(std::string_view name);

/// "--basic" or "--ask ps".
std::string option_of(const QuestionText& question);
inline std::string option_of(std::string_view name) {
  return option_of(question_text(name));
}

/// The question that an output of this name answers by its ending alone; nullptr: none.
const QuestionText* question_of_output(std::string_view output);
/// The endings of output names, such as ".csv": all that select a form, and a question's.
std::vector<std::string_view> endings();
std::vector<std::string_view> endings_of(const QuestionText& question);

/// "--basic, --ask ps or users": the questions of the table that have the option.
std::string those_with(std::string_view option);

}  // namespace physmem
