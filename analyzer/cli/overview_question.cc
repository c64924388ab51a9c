// SPDX-License-Identifier: MIT
#include "analyzer/cli/overview_question.h"

#include <unistd.h>

#include <algorithm>

#include "analyzer/input/notes.h"
#include "analyzer/report/share_bar_text.h"
#include "analyzer/shape/overview_shape.h"
#include "analyzer/shape/use_shape.h"
#include "program/command_line.h"
#include "program/printable.h"
#include "program/terminal.h"
#include "program/terminal_type.h"
#include "program/user_names.h"

namespace physmem {
namespace {

/// Rows of both tables without a terminal, and the least of them.
constexpr std::size_t kRows = 7;
constexpr std::size_t kMinRows = 3;
/// Lines other than table rows: the machine, the bar, titles, headings and sums of tables, blank
/// lines before them, the alerts, and the shell's prompt.
constexpr std::size_t kFixedLines = 12;
constexpr std::size_t kWidth = 80;  ///< without a terminal

}  // namespace

void OverviewQuestion::answer(Printer& printer, const View& view) {
  if (is_of_this_machine(view.header)) view_.user_name = user_name;
  const Format format = printer.begin_answer(Format::kText);
  if (format == Format::kText) return write_text(printer, view);
  printer.table().write(memory_table(totals_, view.header.page_size));
  if (format == Format::kCsv) return;
  view_.has_sums = false;
  printer.write_next(use_table(processes_, view_, view));
  printer.write_next(use_table(mappings_, view_, view));
}

/// The messages on missing data follow the answer.
std::size_t OverviewQuestion::rows_that_fit(const Printer& printer, std::size_t other_lines) const {
  const std::size_t height = printer.is_terminal() ? terminal_lines(STDOUT_FILENO) : 0;
  if (height == 0) return kRows;
  std::size_t used = kFixedLines + other_lines;
  for (const std::string& sentence : missing_)
    used += lines_of_message(sentence, printer.columns());
  return std::max(kMinRows, height - std::min(height, used));
}

void OverviewQuestion::write_text(Printer& printer, const View& view) {
  const std::size_t columns = printer.is_terminal() ? terminal_columns(STDOUT_FILENO) : 0;
  const bool is_coloured = printer.is_terminal() && !refuses_colours();
  printer.lines({machine_line(view.header)});
  if (const auto parts = totals_.parts())
    printer.text() << share_bar_text(memory_bar(*parts), columns == 0 ? kWidth : columns,
                                     is_coloured ? terminal_colours(terminal_type()) : 0)
                   << '\n';
  const std::vector<std::string> memory = memory_lines(totals_);
  printer.lines(memory);
  printer.lines({""});
  UseView rows = view_;
  if (is_now_ && printer.is_terminal()) rows.command_line = command_lines(printer.columns());
  std::size_t lines = 0;
  for (const std::string& line : memory)
    lines += columns == 0 ? 1 : (terminal_width(line) + columns - 1) / columns;
  const std::size_t fitting = rows_that_fit(printer, lines);
  const std::size_t processes = processes_.rows().size();
  std::size_t mappings = std::max<std::size_t>(1, fitting * 2 / 7);
  if (processes + mappings < fitting) mappings = fitting - processes;
  rows.top = view_.top.value_or(fitting - mappings);
  printer.table().write(use_table(processes_, rows, view));
  rows.top = view_.top.value_or(mappings);
  rows.has_sums = false;  // the same total as above
  rows.has_only_paths = true;
  printer.write_next(use_table(mappings_, rows, view));
  if (!printer.is_terminal()) printer.lines({""});
  printer.lines(
      {"Alerts: " + alerts_line(alerts_, view.header.page_size) + ". More: physmem --help"});
}

}  // namespace physmem
