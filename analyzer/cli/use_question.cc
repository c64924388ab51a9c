// SPDX-License-Identifier: MIT
#include "analyzer/cli/use_question.h"

#include "analyzer/cli/missing_notes.h"
#include "analyzer/shape/use_shape.h"
#include "program/command_line.h"
#include "program/machine_id.h"
#include "program/user_names.h"

namespace physmem {

std::vector<std::string> UseQuestion::missing() const {
  if (!is_limited_ || !uses_.rows().empty()) return {};
  return {"no file fits --file"};
}

std::string UseQuestion::failure() const {
  if (words_.empty() || !is_limited_ || !uses_.rows().empty()) return {};
  return "no file in memory has " + quoted(words_) + " in its name, and no snapshot is named so";
}

/// A table for people on a terminal, data in a pipe.
void UseQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(printer.is_terminal() ? Format::kText : Format::kCsv);
  UseView shown = view_;
  shown.has_sums = format == Format::kText;
  if (is_this_machine({view.header.machine_id, view.header.boot_id, view.header.host}))
    shown.user_name = user_name;
  if (is_now_ && printer.is_terminal() && format == Format::kText)
    shown.command_line = command_lines(printer.columns());
  if (is_picture(format))
    printer.add(use_chart(uses_, shown, view));
  else
    printer.table().write(use_table(uses_, shown, view));
}

std::unique_ptr<Question> make_processes_question(const QuestionContext& context) {
  return std::make_unique<UseQuestion>(context, context.options.group);
}

std::unique_ptr<Question> make_mappings_question(const QuestionContext& context) {
  return std::make_unique<UseQuestion>(context, UseGrouping::kUnit);
}

std::unique_ptr<Question> make_users_question(const QuestionContext& context) {
  return std::make_unique<UseQuestion>(context, UseGrouping::kUser);
}

}  // namespace physmem
