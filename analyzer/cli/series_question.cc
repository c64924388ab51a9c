// SPDX-License-Identifier: MIT
#include "analyzer/cli/series_question.h"

#include <algorithm>

#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/leaks_shape.h"

namespace physmem {

void DiffQuestion::answer(Printer& printer, const View& view) {
  const bool is_text = printer.begin_answer(Format::kText) == Format::kText;
  for (const Table& table :
       is_text ? diff_tables(diff_, view) : std::vector{diff_table(diff_, view)})
    printer.table().write(table);
}

std::vector<std::string> DiffQuestion::missing() const {
  return diff_missing(diff_);
}

void LeaksQuestion::answer(Printer& printer, const View& view) {
  const std::vector<LeakRow> rows = search_.rows();
  const auto count = [&](bool has_ended) {
    return std::count_if(rows.begin(), rows.end(), [has_ended](const LeakRow& row) {
      return row.verdict.is_leak() && row.has_ended == has_ended;
    });
  };
  found_leak_ = count(false) != 0;
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(leaks_series(search_, rows, view));
  if (format == Format::kText) printer.lines(leaks_text(search_, rows, view));
  if (format == Format::kText && !found_leak_ && count(true) == 0 && !view.is_full) return;
  if (format == Format::kText) printer.lines({""});
  printer.table().write(leaks_table(search_, rows, view));
}

std::vector<std::string> LeaksQuestion::missing() const {
  return leaks_missing(search_);
}

}  // namespace physmem
