// SPDX-License-Identifier: MIT
#include "analyzer/shape/diff_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/owner_words.h"

namespace physmem {
namespace {

/// Without groups.
BarChart paired_bars(const View& view) {
  BarChart chart;
  chart.series = {"stayed", "went", "came"};
  chart.bar_titles = {"before", "after"};
  chart.page_size = view.header.page_size.bytes;
  return chart;
}

BarChart::Group paired(std::string label, std::uint64_t stayed, std::uint64_t went,
                       std::uint64_t came) {
  return {std::move(label), {{stayed, went, 0}, {stayed, 0, came}}};
}

std::string from_to(std::uint64_t before, std::uint64_t after, PageSize size) {
  return fmt::format("from {} to {}", human_size(before, size), human_size(after, size));
}

}  // namespace

BarChart process_changes_chart(const SnapshotDiff& diff, const View& view) {
  BarChart chart = paired_bars(view);
  const Change total = diff.total().change;
  const auto rows = changed_processes(diff);
  chart.title = "Processes: resident pages that came and went";
  chart.subtitle = fmt::format("{}{}: {}", origin(diff.header_after()), elapsed_text(diff),
                               from_to(total.before, total.after, view.header.page_size));
  for (const ProcessChange* row : rows)
    chart.groups.push_back(paired(fmt::format("{} ({})", row->name, row->pid),
                                  row->change.kept.pages, row->change.lost(),
                                  row->change.gained()));
  return chart;
}

BarChart class_changes_chart(const RamDiff& diff, const View& view) {
  BarChart chart = paired_bars(view);
  chart.title = "RAM by class: what came and went";
  std::size_t unchanged = 0;
  for (const ClassChange& row : diff.classes()) {
    const std::uint64_t stayed = std::min(row.before, row.after);
    if (row.before == row.after) ++unchanged;
    if (row.before != row.after)
      chart.groups.push_back(
          paired(class_title(row.name), stayed, row.before - stayed, row.after - stayed));
  }
  chart.subtitle = origin(view.header);
  if (unchanged != 0)
    chart.subtitle += fmt::format(": {} did not change", counted(unchanged, "class"));
  return chart;
}

}  // namespace physmem
