// SPDX-License-Identifier: MIT
#include "analyzer/cli/stop_question.h"

#include "analyzer/shape/stop_shape.h"

namespace physmem {

std::vector<std::string> StopQuestion::missing() const {
  if (!estimate_.is_known())
    return {
        "the snapshot does not show which frames processes share: this requires their pages "
        "and counts of mappings"};
  return stop_notes(estimate_);
}

void StopQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (!estimate_.is_known()) return;
  const PageSize page_size = view.header.page_size;
  if (format == Format::kText) {
    printer.lines(stop_lines(estimate_, page_size));
    printer.lines({""});
  }
  printer.table().write(stop_table(estimate_, page_size));
  const Table keepers = keepers_table(estimate_);
  if (!keepers.rows.empty() && (format != Format::kCsv || view.is_full))
    printer.write_next(keepers);
}

}  // namespace physmem
