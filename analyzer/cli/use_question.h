// SPDX-License-Identifier: MIT
// --processes, --mappings and --users.
#pragma once

#include <memory>

#include "analyzer/analyze/memory_uses.h"
#include "analyzer/cli/question.h"

namespace physmem {

class UseQuestion : public Question {
 public:
  UseQuestion(const QuestionContext& context, UseGrouping grouping)
      : view_(context.options.use), uses_(grouping, context.options.units) {}
  Analysis& analysis() override { return uses_; }
  bool data_is_missing(const Header& header) const override { return !header.has_areas; }
  void answer(Printer& printer, const View& view) override;

 private:
  UseView view_;
  MemoryUses uses_;
};

std::unique_ptr<Question> make_processes_question(const QuestionContext& context);
std::unique_ptr<Question> make_mappings_question(const QuestionContext& context);
std::unique_ptr<Question> make_users_question(const QuestionContext& context);

}  // namespace physmem
