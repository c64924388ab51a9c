// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "analyzer/cli/question.h"

namespace physmem {

/// All questions, in the order of answers.
std::span<const QuestionKind> question_table();

/// The form of the answer to a question in the table if no form was requested.
Format natural_form(const std::string& question);

}  // namespace physmem
