// SPDX-License-Identifier: MIT
// --kernel: the kernel's own memory by use and owner.
#pragma once

#include "analyzer/analyze/kernel_use.h"
#include "analyzer/analyze/ram_split.h"
#include "analyzer/cli/ram_question.h"

namespace physmem {

class KernelQuestion : public RamQuestion {
 public:
  explicit KernelQuestion(const QuestionContext& context)
      : RamQuestion(context), split_(context.options.selection) {}
  Analysis& analysis() override { return split_; }
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;

 private:
  RamSplit<KernelUse> split_;
};

}  // namespace physmem
