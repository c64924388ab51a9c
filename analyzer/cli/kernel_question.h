// SPDX-License-Identifier: MIT
// --kernel: the kernel's own memory by use and owner.
#pragma once

#include "analyzer/analyze/ram/kernel_use.h"
#include "analyzer/cli/ram_question.h"

namespace physmem {

class KernelQuestion : public SplitQuestion<KernelUse, RamQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;
};

}  // namespace physmem
