// SPDX-License-Identifier: MIT
#include "analyzer/cli/use_question.h"

#include <algorithm>

#include "analyzer/cli/missing_notes.h"
#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/parts_shape.h"
#include "analyzer/shape/process_page.h"
#include "analyzer/shape/series_notes.h"
#include "analyzer/shape/stop_shape.h"
#include "analyzer/shape/use_history_shape.h"
#include "analyzer/shape/use_shape.h"
#include "program/command_line.h"
#include "program/user_names.h"

namespace physmem {

namespace {

constexpr const char* kNoFile = "no file fits --file";

std::string no_file(const std::vector<std::string>& words) {
  return "no file that a process maps has " + quoted(words) +
         " in its name, and no snapshot is named so";
}

}  // namespace

std::vector<std::string> UseQuestion::missing() const {
  if (!is_limited_ || !uses_.rows().empty()) return {};
  return {kNoFile};
}

std::string UseQuestion::failure() const {
  return words_.empty() || !is_limited_ || !uses_.rows().empty() ? "" : no_file(words_);
}

std::vector<Analysis*> UseQuestion::analyses() {
  std::vector<Analysis*> all{&uses_};
  if (page_) all.push_back(&page_->files);
  return all;
}

/// CSV has the memory of the process by file; JSON also its sums, and what becomes of it if it
/// ends.
void UseQuestion::write_page(Printer& printer, Format format, const View& view) const {
  UseView shown = view_;
  shown.has_sums = format == Format::kText;
  if (is_of_this_machine(view.header)) shown.user_name = user_name;
  if (is_now_) shown.command_line = command_lines(printer.columns());
  if (format == Format::kText) {
    constexpr std::size_t kMaxFiles = 20;
    const MemoryUseRow row = uses_.rows().front();
    printer.lines(process_page_lines(row, uses_, shown, view));
    if (page_->stop.is_known()) printer.lines(stop_lines(page_->stop.set(), view.header.page_size));
    printer.lines({""});
    shown.top = kMaxFiles;
    shown.columns = process_page_columns(UseGrouping::kUnit, row.use);
    return printer.table().write(use_table(page_->files, shown, view));
  }
  shown.columns = process_page_columns(UseGrouping::kUnit);
  const Table files = use_table(page_->files, shown, view);
  if (format == Format::kCsv) return printer.table().write(files);
  shown.columns = process_page_columns(UseGrouping::kProcess);
  printer.table().write(use_table(uses_, shown, view));
  printer.write_next(files);
  if (page_->stop.is_known()) printer.write_next(stop_table(page_->stop.set()));
}

/// A table for people on a terminal, data in a pipe.
void UseQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(printer.is_terminal() ? Format::kText : Format::kCsv);
  if (is_page() && !is_picture(format)) return write_page(printer, format, view);
  UseView shown = view_;
  shown.has_sums = format == Format::kText;
  if (is_of_this_machine(view.header)) shown.user_name = user_name;
  if (is_now_ && printer.is_terminal() && format == Format::kText)
    shown.command_line = command_lines(printer.columns());
  if (is_picture(format))
    printer.add(use_chart(uses_, shown, view));
  else
    printer.table().write(use_table(uses_, shown, view));
}

std::vector<std::string> PartsQuestion::missing() const {
  if (parts_.is_known())
    return parts_.has_files() ? std::vector<std::string>() : std::vector<std::string>{kNoFile};
  return {"the snapshot does not show which pages are of files: this requires its pages"};
}

std::string PartsQuestion::failure() const {
  return options_.words.empty() || !parts_.is_known() || parts_.has_files()
             ? ""
             : no_file(options_.words);
}

/// Text has a few rows, JSON the processes of each part, too.
void PartsQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (!parts_.is_known()) return;
  constexpr std::size_t kFewRows = 20;
  Table table = parts_table(parts_);
  const bool is_short = format == Format::kText && !view.is_full;
  keep_first(table, options_.use.top.value_or(is_short ? kFewRows : table.rows.size()));
  printer.table().write(table);
  if (view.is_full || format == Format::kJson) printer.write_next(part_users_table(parts_));
}

UseHistoryQuestion::UseHistoryQuestion(const QuestionContext& context, UseGrouping grouping)
    : view_(context.options.use),
      history_(grouping, context.options.units,
               view_.sort ? measure_of(*view_.sort) : std::nullopt) {}

std::vector<std::string> UseHistoryQuestion::missing() const {
  return series_notes(history_.order(), "shown after it");
}

void UseHistoryQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_of_this_machine(view.header)) view_.user_name = user_name;
  if (history_.order().snapshots() == 0) return;
  if (is_picture(format)) return printer.add(use_history_chart(history_, view_, view));
  if (format != Format::kText) return printer.table().write(use_history_table(history_, view_));
  printer.lines(use_history_lines(history_, view));
  printer.lines({""});
  // What names and sizes leave of the width. Texts of 24 columns are never shortened.
  constexpr std::size_t kOthers = 56, kLeast = 24, kMost = 60, kInFiles = 40;
  const std::size_t digits =
      printer.columns() == 0
          ? kInFiles
          : std::clamp(std::max(printer.columns(), kOthers) - kOthers, kLeast, kMost);
  printer.table().write(use_history_text(history_, view_, digits));
}

namespace {

std::unique_ptr<Question> make(const QuestionContext& context, UseGrouping grouping,
                               bool is_of_files = false) {
  if (context.options.is_over_time) return std::make_unique<UseHistoryQuestion>(context, grouping);
  return std::make_unique<UseQuestion>(context, grouping, is_of_files);
}

}  // namespace

std::unique_ptr<Question> make_processes_question(const QuestionContext& context) {
  return make(context, context.options.group);
}

std::unique_ptr<Question> make_mappings_question(const QuestionContext& context) {
  if (context.options.asks_who) return std::make_unique<PartsQuestion>(context);
  return make(context, context.options.units_group, true);
}

std::unique_ptr<Question> make_users_question(const QuestionContext& context) {
  return make(context, UseGrouping::kUser);
}

}  // namespace physmem
