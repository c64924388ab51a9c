// SPDX-License-Identifier: MIT
// The question that answers for an export: all that snapshots have, in one file.
#pragma once

#include <memory>

#include "analyzer/cli/question.h"

namespace physmem {

/// The export of the series. Requires is_for_export(context.options).
std::unique_ptr<Question> make_export_question(const QuestionContext& context);

}  // namespace physmem
