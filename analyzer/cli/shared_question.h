// SPDX-License-Identifier: MIT
// --ask shmem: shared memory as objects.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/process/shared_objects.h"
#include "analyzer/cli/question.h"

namespace physmem {

class SharedQuestion : public Question {
 public:
  explicit SharedQuestion(const QuestionContext& context) : top_(context.options.use.top) {}
  Analysis& analysis() override { return shared_; }
  bool data_is_missing(const Header&) const override { return !missing().empty(); }
  std::vector<std::string> missing() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  std::optional<std::size_t> top_;
  SharedObjects shared_;
};

}  // namespace physmem
