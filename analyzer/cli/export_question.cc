// SPDX-License-Identifier: MIT
#include "analyzer/cli/export_question.h"

#include "analyzer/cli/database_question.h"
#include "analyzer/cli/trace_question.h"

namespace physmem {

std::unique_ptr<Question> make_export_question(const QuestionContext& context) {
  if (context.options.format == Format::kPerfetto) return std::make_unique<TraceQuestion>(context);
  return std::make_unique<DatabaseQuestion>(context);
}

}  // namespace physmem
