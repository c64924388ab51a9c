// SPDX-License-Identifier: MIT
#include "analyzer/cli/series_question.h"

#include "analyzer/shape/diff_shape.h"

namespace physmem {

void DiffQuestion::answer(Printer& printer, const View& view) {
  const bool is_text = printer.begin_answer(Format::kText) == Format::kText;
  for (const Table& table : is_text ? diff_tables(diff_, view) : std::vector{diff_table(diff_, view)})
    printer.table().write(table);
}

std::vector<std::string> DiffQuestion::missing() const {
  return diff_missing(diff_);
}

}  // namespace physmem
