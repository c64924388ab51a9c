// SPDX-License-Identifier: MIT
// --slab: slab caches; of a series, their growth.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/ram/slab_use.h"
#include "analyzer/cli/ram_question.h"

namespace physmem {

class SlabQuestion : public SplitQuestion<SlabUse, RamQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  bool needs_areas() const override { return false; }
  bool data_is_missing(const Header& header) const override {
    return header.ram == Header::Ram::kNone;
  }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;
};

}  // namespace physmem
