// SPDX-License-Identifier: MIT
// --ask ps, units and users.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/time/use_history.h"
#include "analyzer/cli/question.h"

namespace physmem {

class UseQuestion : public Question {
 public:
  /// is_of_files: rows have only the memory of the files that are asked for.
  UseQuestion(const QuestionContext& context, UseGrouping grouping, bool is_of_files)
      : view_(context.options.use),
        words_(context.options.words),
        is_now_(context.options.is_now),
        is_limited_(!context.options.units.empty()),
        uses_(grouping, context.options.units) {
    if (view_.shows_flags()) uses_.count_pages();
    if (is_of_files) uses_.count_only_units();
  }
  Analysis& analysis() override { return uses_; }
  bool data_is_missing(const Header& header) const override {
    return needs_areas() && !header.has_areas;
  }
  /// A recording of physmem-top has the sizes of processes without their areas.
  bool needs_areas() const override {
    return uses_.grouping() == UseGrouping::kUnit || !uses_.has_only_sizes();
  }
  std::vector<std::string> missing() const override;
  /// Words of the command line that are in no name.
  std::string failure() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  UseView view_;
  const std::vector<std::string>& words_;
  bool is_now_;
  bool is_limited_;  ///< by --file
  MemoryUses uses_;
};

/// The same of a series.
class UseHistoryQuestion : public Question {
 public:
  UseHistoryQuestion(const QuestionContext& context, UseGrouping grouping);
  Analysis& analysis() override { return history_; }
  bool needs_areas() const override { return !history_.has_only_sizes(); }
  bool data_is_missing(const Header& header) const override {
    return needs_areas() && !header.has_areas;
  }
  std::vector<std::string> missing() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  UseView view_;
  UseHistory history_;
};

std::unique_ptr<Question> make_processes_question(const QuestionContext& context);
std::unique_ptr<Question> make_mappings_question(const QuestionContext& context);
std::unique_ptr<Question> make_users_question(const QuestionContext& context);

}  // namespace physmem
