// SPDX-License-Identifier: MIT
// --ask ps, units and users.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/file_parts.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process/stop_estimate.h"
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
    const bool is_usual = view_.columns.empty() && !view_.sort && !view_.top && !is_limited_;
    if (is_usual && !words_.empty() && grouping == UseGrouping::kProcess && !is_of_files) {
      page_.emplace(context.options.only);
      uses_.count_pages();
    }
  }
  Analysis& analysis() override { return uses_; }
  std::vector<Analysis*> analyses() override;
  Events* events() override { return page_ ? &page_->census : nullptr; }
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
  /// What the answer has more if the words of the command line select one process.
  struct ProcessPage {
    explicit ProcessPage(const ProcessFilter& only) : stop(only) { files.count_pages(); }
    MemoryUses files{UseGrouping::kUnit};  ///< of this process
    StopEstimate stop;
    Census census{{&stop}};  ///< of all processes
  };
  bool is_page() const { return page_ && uses_.rows().size() == 1; }
  void write_page(Printer& printer, Format format, const View& view) const;

  UseView view_;
  const std::vector<std::string>& words_;
  bool is_now_;
  bool is_limited_;  ///< by --file
  MemoryUses uses_;
  std::optional<ProcessPage> page_;
};

/// --who: which processes map which part of files.
class PartsQuestion : public Question {
 public:
  explicit PartsQuestion(const QuestionContext& context)
      : options_(context.options), parts_(options_.units) {}
  Analysis& analysis() override { return parts_; }
  bool data_is_missing(const Header&) const override { return !parts_.is_known(); }
  std::vector<std::string> missing() const override;
  std::string failure() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  const Options& options_;
  FileParts parts_;
};

/// UseQuestion of a series.
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
