// SPDX-License-Identifier: MIT
// --slab: slab caches; of a series, their growth.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/slab_use.h"
#include "analyzer/cli/question.h"

namespace physmem {

class SlabQuestion : public Question {
 public:
  Analysis& analysis() override { return slab_; }
  bool needs_areas() const override { return false; }
  bool data_is_missing(const Header& header) const override {
    return header.ram == Header::Ram::kNone;
  }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;

 private:
  SlabUse slab_;
};

}  // namespace physmem
