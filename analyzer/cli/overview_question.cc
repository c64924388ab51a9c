// SPDX-License-Identifier: MIT
#include "analyzer/cli/overview_question.h"

#include <unistd.h>

#include <cstdlib>

#include "analyzer/report/share_bar_text.h"
#include "analyzer/shape/overview_shape.h"
#include "analyzer/shape/use_shape.h"
#include "program/machine_id.h"
#include "program/terminal.h"
#include "program/user_names.h"

namespace physmem {
namespace {

/// Rows that fit a terminal of 24 lines, with the lines around them.
constexpr std::size_t kProcesses = 5;
constexpr std::size_t kMappings = 2;
constexpr std::size_t kWidth = 80;  ///< without a terminal

/// https://no-color.org: any text but an empty one.
bool wants_no_colour() {
  const char* const text = std::getenv("NO_COLOR");
  return text != nullptr && *text != '\0';
}

}  // namespace

void OverviewQuestion::answer(Printer& printer, const View& view) {
  if (is_this_machine({view.header.machine_id, view.header.boot_id, view.header.host}))
    view_.user_name = user_name;
  const Format format = printer.begin_answer(Format::kText);
  if (format == Format::kText) return write_text(printer, view);
  printer.table().write(memory_table(totals_));
  if (format == Format::kCsv) return;
  view_.has_sums = false;
  printer.write_next(use_table(processes_, view_, view));
  printer.write_next(use_table(mappings_, view_, view));
}

void OverviewQuestion::write_text(Printer& printer, const View& view) {
  const std::size_t columns = printer.is_terminal() ? terminal_columns(STDOUT_FILENO) : 0;
  const bool is_coloured = printer.is_terminal() && !wants_no_colour();
  printer.lines({machine_line(view.header)});
  if (totals_.total())
    printer.text() << share_bar_text(memory_bar(totals_.parts()), columns == 0 ? kWidth : columns,
                                     is_coloured)
                   << '\n';
  printer.lines(memory_lines(totals_));
  printer.lines({""});
  UseView rows = view_;
  rows.top = view_.top.value_or(kProcesses);
  printer.table().write(use_table(processes_, rows, view));
  rows.top = view_.top.value_or(kMappings);
  rows.has_sums = false;  // the same total as above
  printer.write_next(use_table(mappings_, rows, view));
  printer.lines({"", "Alerts: " + alerts_line(alerts_) + ". More: physmem --help"});
}

}  // namespace physmem
