// SPDX-License-Identifier: MIT
// --ask folded: stacks for flame graphs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/analyze/process/memory_stacks.h"
#include "analyzer/cli/question.h"

namespace physmem {

class FoldedQuestion : public Question {
 public:
  explicit FoldedQuestion(const QuestionContext& context);
  Analysis& analysis() override { return stacks_; }
  bool data_is_missing(const Header& header) const override;
  std::vector<std::string> missing() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  bool lacks_shares() const;

  const Options& options_;
  MemoryStacks stacks_;
};

std::unique_ptr<Question> make_folded_question(const QuestionContext& context);

}  // namespace physmem
