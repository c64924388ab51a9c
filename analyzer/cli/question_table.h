// SPDX-License-Identifier: MIT
// What computes the answer to each question of analyzer/input/questions.h.
#pragma once

#include <memory>
#include <string_view>

#include "analyzer/cli/question.h"

namespace physmem {

/// `name`: of a question in the table that is not a form.
std::unique_ptr<Question> make_question(std::string_view name, const QuestionContext& context);

}  // namespace physmem
