// SPDX-License-Identifier: MIT
#include "analyzer/cli/shared_question.h"

#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/shared_shape.h"

namespace physmem {

std::vector<std::string> SharedQuestion::missing() const {
  return shared_notes(shared_);
}

void SharedQuestion::answer(Printer& printer, const View& view) {
  constexpr std::size_t kFewObjects = 20;  // in text, without --full
  const Format format = printer.begin_answer(Format::kText);
  const bool is_text = format == Format::kText;
  Table objects = shared_table(shared_, is_text);
  if (is_text) {
    printer.lines(shared_lines(shared_));
    printer.lines({""});
    keep_first(objects, top_.value_or(view.is_full ? objects.rows.size() : kFewObjects));
  }
  printer.table().write(objects);
  const Table users = shared_users_table(shared_);
  if (view.is_full || (format == Format::kJson && !users.rows.empty())) printer.write_next(users);
}

}  // namespace physmem
