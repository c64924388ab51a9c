// SPDX-License-Identifier: MIT
#include "analyzer/shape/diff_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/shape/diff_groups.h"
#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/overview_shape.h"
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

/// The largest change first.
std::vector<GroupChange> changed_rows(const SnapshotDiff& diff, const UseView& use) {
  std::vector<GroupChange> rows;
  if (use.group == UseGrouping::kProcess)
    for (const ProcessChange& row : diff.processes())
      rows.push_back({fmt::format("{} ({})", row.name, row.pid), 1, row.change});
  else
    rows = grouped(diff, use.group, use);
  std::erase_if(rows, [](const GroupChange& row) { return row.change.is_none(); });
  const auto key = [](const Change& c) {
    return std::pair(std::max(c.before, c.after) - std::min(c.before, c.after), c.touched());
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const GroupChange& a, const GroupChange& b) {
    return key(a.change) > key(b.change);
  });
  return rows;
}

}  // namespace

BarChart process_changes_chart(const SnapshotDiff& diff, const UseView& use, const View& view) {
  BarChart chart = paired_bars(view);
  const Change total = diff.total().change;
  chart.title = "Processes: resident pages that came and went";
  chart.subtitle = fmt::format("{}{}: {}", origin(diff.header_after()), elapsed_text(diff),
                               from_to(total.before, total.after, view.header.page_size));
  for (const GroupChange& row : changed_rows(diff, use))
    chart.groups.push_back(
        paired(row.name, row.change.kept.pages, row.change.lost(), row.change.gained()));
  keep_first(chart, use.top.value_or(kChartRows));
  return chart;
}

BarChart totals_changes_chart(const TotalsDiff& diff, const View& view) {
  BarChart chart = paired_bars(view);
  chart.title = "RAM by the kernel's totals: what came and went";
  chart.subtitle = origin(view.header);
  const auto pages = [&view](std::uint64_t kib) {
    return (kib << 10) / view.header.page_size.bytes;
  };
  for (const TotalsDiff::Part& part : diff.parts()) {
    const std::uint64_t before = pages(part.before), after = pages(part.after);
    const std::uint64_t stayed = std::min(before, after);
    chart.groups.push_back(paired(std::string(kMemoryPartTexts[part.part].name), stayed,
                                  before - stayed, after - stayed));
  }
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
