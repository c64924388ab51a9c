// SPDX-License-Identifier: MIT
#include "analyzer/cli/kernel_question.h"

#include <limits>

#include "analyzer/shape/kernel_shape.h"

namespace physmem {
namespace {

/// Rows of each table of owners, in text without --full.
constexpr std::size_t kFewOwners = 10;

}  // namespace

/// CSV has further tables in further files, so only on request.
void KernelQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format))
    return draw(printer, [&](const KernelUse& kernel) { return kernel_chart(kernel, view); });
  const bool is_text = format == Format::kText;
  for (std::size_t group = 0; is_text && group < split().size(); ++group)
    printer.lines({subject("Kernel", split(), group) + ": " + kernel_line(split()[group], view)});
  if (is_text && !split().front().ledger().is_known()) return;
  if (is_text) printer.lines({""});
  printer.table().write(
      split_table(split(), [&](const KernelUse& kernel) { return kernel_table(kernel, view); }));
  if (!has_further_tables(format)) return;
  const std::size_t max_rows = top().value_or(
      is_text && !view.is_full ? kFewOwners : std::numeric_limits<std::size_t>::max());
  const std::size_t tables = kernel_owner_tables(split().front(), view, max_rows).size();
  for (std::size_t i = 0; i < tables; ++i) {
    const Table table = split_table(split(), [&](const KernelUse& kernel) {
      return kernel_owner_tables(kernel, view, max_rows)[i];
    });
    if (!is_text || !table.rows.empty()) printer.write_next(table);
  }
}

}  // namespace physmem
