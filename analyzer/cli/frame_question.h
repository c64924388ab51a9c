// SPDX-License-Identifier: MIT
// --ask frame: single frames, their use and their mappings.
#pragma once

#include "analyzer/analyze/ram/frame_lookup.h"
#include "analyzer/cli/question.h"

namespace physmem {

class FrameQuestion : public Question {
 public:
  explicit FrameQuestion(const QuestionContext& context);
  Analysis& analysis() override { return lookup_; }
  void answer(Printer& printer, const View& view) override;

 private:
  FrameLookup lookup_;
};

}  // namespace physmem
