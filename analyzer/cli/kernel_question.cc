// SPDX-License-Identifier: MIT
#include "analyzer/cli/kernel_question.h"

#include <limits>

#include "analyzer/shape/kernel_shape.h"

namespace physmem {
namespace {

/// Of each table of owners in text without --full.
constexpr std::size_t kFewRows = 10;

}  // namespace

/// CSV has further tables in further files, so only on request.
void KernelQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(kernel_chart(kernel_, view));
  const bool is_text = format == Format::kText;
  if (is_text) printer.lines({kernel_line(kernel_, view)});
  if (is_text && !kernel_.ledger().is_known()) return;
  if (is_text) printer.lines({""});
  printer.table().write(kernel_table(kernel_, view));
  if (format == Format::kCsv && !view.is_full) return;
  const std::size_t max_rows =
      is_text && !view.is_full ? kFewRows : std::numeric_limits<std::size_t>::max();
  for (const Table& table : kernel_owner_tables(kernel_, view, max_rows))
    if (!is_text || !table.rows.empty()) printer.write_next(table);
}

}  // namespace physmem
