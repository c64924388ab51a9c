// SPDX-License-Identifier: MIT
#include "analyzer/cli/stop_question.h"

#include <algorithm>
#include <cstddef>

#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/stop_shape.h"
#include "program/user_names.h"

namespace physmem {

bool StopQuestion::data_is_missing(const Header&) const {
  return !estimate_.is_known() ||
         std::ranges::any_of(estimate_.sets(), [](const StopSet& set) { return set.unread != 0; });
}

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
  if (asks_for_sets(options_)) return write_sets(printer, format, view);
  const StopSet& set = estimate_.set();
  if (format == Format::kText) {
    printer.lines(stop_lines(set, view.header.page_size));
    printer.lines({""});
  }
  printer.table().write(stop_table(set));
  const Table keepers = keepers_table(set);
  if (!keepers.rows.empty() && (format != Format::kCsv || view.is_full))
    printer.write_next(keepers);
}

void StopQuestion::write_sets(Printer& printer, Format format, const View& view) const {
  constexpr std::size_t kRows = 10;
  const PageSize page_size = view.header.page_size;
  UseView use;
  if (is_of_this_machine(view.header)) use.user_name = user_name;
  std::optional<StopChoice> choice;
  if (options_.need) {
    const std::uint64_t need = page_size.pages(*options_.need);
    choice = choose_sets(estimate_, need);
    if (format == Format::kText) {
      printer.lines({choice_line(*choice, need, page_size)});
      printer.lines({""});
    }
  }
  Table table = sets_table(estimate_, choice ? &*choice : nullptr, use);
  if (options_.use.top)
    keep_first(table, *options_.use.top);
  else if (format == Format::kText)
    keep_first(table, kRows + (choice ? choice->sets.size() : 0));
  printer.table().write(table);
}

}  // namespace physmem
