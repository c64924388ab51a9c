// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "analyzer/cli/question.h"

namespace physmem {

/// All questions, in the order of answers.
std::span<const QuestionKind> question_table();

}  // namespace physmem
