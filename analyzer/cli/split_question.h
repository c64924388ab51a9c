// SPDX-License-Identifier: MIT
// A question whose answer --by splits by node, zone or memory tier.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/analyze/ram/frame_split.h"
#include "analyzer/cli/question.h"
#include "analyzer/shape/split_table.h"

namespace physmem {

/// `Base`: a Question that is made of a context.
template <class Fold, class Base>
class SplitQuestion : public Base {
 public:
  explicit SplitQuestion(const QuestionContext& context, const Fold& empty = {})
      : Base(context), split_(context.options.selection, context.options.only, empty) {}
  Analysis& analysis() override { return split_.front(); }
  std::vector<Analysis*> analyses() override { return split_.analyses(); }
  Events* events() override { return split_.events(); }

 protected:
  const FrameSplit<Fold>& split() const { return split_; }
  /// A picture for each group.
  template <class PictureOf>
  void draw(Printer& printer, PictureOf picture_of) const {
    for (std::size_t group = 0; group < split_.size(); ++group)
      printer.add(titled(picture_of(split_[group]), split_, group));
  }

 private:
  FrameSplit<Fold> split_;
};

}  // namespace physmem
