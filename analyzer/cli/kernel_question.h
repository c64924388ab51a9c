// SPDX-License-Identifier: MIT
// --kernel: the kernel's own memory by use and owner.
#pragma once

#include "analyzer/analyze/kernel_use.h"
#include "analyzer/cli/question.h"

namespace physmem {

class KernelQuestion : public Question {
 public:
  Analysis& analysis() override { return kernel_; }
  bool needs_areas() const override { return false; }
  bool data_is_missing(const Header& header) const override {
    return header.ram != Header::Ram::kAll;
  }
  void answer(Printer& printer, const View& view) override;

 private:
  KernelUse kernel_;
};

}  // namespace physmem
