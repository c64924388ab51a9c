// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/input/question_text.h"

namespace physmem {

/// Those whose rows are processes, groups of them, their areas and files, or single frames.
std::vector<QuestionText> process_questions();

}  // namespace physmem
