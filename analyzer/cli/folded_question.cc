// SPDX-License-Identifier: MIT
#include "analyzer/cli/folded_question.h"

#include "analyzer/shape/stacks_shape.h"

namespace physmem {

FoldedQuestion::FoldedQuestion(const QuestionContext& context) : options_(context.options) {}

bool FoldedQuestion::lacks_shares() const {
  return options_.weight == StackWeight::kPss && !stacks_.is_share_known();
}

bool FoldedQuestion::data_is_missing(const Header& header) const {
  return !header.has_areas || lacks_shares();
}

std::vector<std::string> FoldedQuestion::missing() const {
  if (!lacks_shares()) return {};
  return {
      "the snapshot does not list all pages, so their proportional share is not known: "
      "--weight rss counts them"};
}

/// Text has no headings, which programs that draw flame graphs do not expect. Snapshots differ by
/// their first frame.
void FoldedQuestion::answer(Printer& printer, const View& view) {
  const bool is_one_of_many = options_.inputs.size() > 1 || view.source != options_.inputs.front();
  if (printer.begin_answer(Format::kText, Printer::Block::kOneLine) == Format::kText)
    printer.data_lines(folded_lines(stacks_, options_.weight, is_one_of_many, view));
  else
    printer.table().write(folded_table(stacks_, view));
}

std::unique_ptr<Question> make_folded_question(const QuestionContext& context) {
  return std::make_unique<FoldedQuestion>(context);
}

}  // namespace physmem
