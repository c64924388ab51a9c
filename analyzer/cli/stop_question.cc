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
  std::vector<std::string> notes = stop_notes(estimate_);
  if (asks_for_sets(options_) && estimate_.has_swap_cache())
    notes.emplace_back("swapped pages that are still in RAM are not counted for single rows");
  return notes;
}

std::string StopQuestion::failure() const {
  const bool has_none = asks_for_sets(options_) && estimate_.is_known() && estimate_.sets().empty();
  return has_none ? "if-stopped: found no process that can end (process 1 and kernel threads are "
                    "left out)"
                  : "";
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

/// With --need, the memory of what was chosen follows, as one set.
void StopQuestion::write_sets(Printer& printer, Format format, const View& view) {
  constexpr std::size_t kRows = 10;
  const PageSize page_size = view.header.page_size;
  UseView use;
  if (is_of_this_machine(view.header)) use.user_name = user_name;
  std::optional<StopChoice> choice;
  if (options_.need) {
    const std::uint64_t need = page_size.pages(*options_.need);
    choice = choose_sets(estimate_, need);
    is_short_ = choice->all.free() < need;
    if (format == Format::kText) {
      printer.lines({choice_line(*choice, options_.need_text, !is_short_, page_size)});
      printer.lines({""});
    }
  }
  Table table = sets_table(estimate_, choice ? &*choice : nullptr, use);
  const std::size_t rows = format == Format::kText ? kRows : table.rows.size();
  keep_first(table, options_.use.top.value_or(rows) + (choice ? choice->sets.size() : 0));
  printer.table().write(table);
  if (choice && (format != Format::kCsv || view.is_full))
    printer.write_next(stop_table(choice->all));
}

}  // namespace physmem
