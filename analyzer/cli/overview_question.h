// SPDX-License-Identifier: MIT
// --ask overview: the state of a machine on one screen.
#pragma once

#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/ram/memory_totals.h"
#include "analyzer/cli/question.h"

namespace physmem {

class OverviewQuestion : public Question {
 public:
  explicit OverviewQuestion(const QuestionContext& context)
      : view_(context.options.use), missing_(context.missing), is_now_(context.options.is_now) {}
  Analysis& analysis() override { return totals_; }
  std::vector<Analysis*> analyses() override {
    return {&totals_, &processes_, &mappings_, &alerts_};
  }
  bool data_is_missing(const Header& header) const override { return !header.has_areas; }
  void answer(Printer& printer, const View& view) override;

 private:
  void write_text(Printer& printer, const View& view);
  std::size_t rows_that_fit(const Printer& printer, std::size_t other_lines) const;

  UseView view_;
  const std::vector<std::string>& missing_;
  bool is_now_;
  MemoryTotals totals_;
  MemoryUses processes_;
  MemoryUses mappings_{UseGrouping::kUnit};
  Alerts alerts_;
};

}  // namespace physmem
