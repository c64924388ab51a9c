// SPDX-License-Identifier: MIT
#include "analyzer/shape/first_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "analyzer/shape/view.h"

namespace physmem {

void keep_first(Table& table, std::size_t rows, std::size_t last) {
  last = std::min(last, table.rows.size());
  const std::size_t others = table.rows.size() - last;
  if (others <= rows) return;
  const auto first = table.rows.begin() + static_cast<std::ptrdiff_t>(rows);
  table.rows.erase(first, table.rows.end() - static_cast<std::ptrdiff_t>(last));
  table.notes = {"and " + counted(others - rows, "more row")};
}

void keep_first(BarChart& chart, std::size_t groups) {
  if (chart.groups.size() <= groups) return;
  BarChart::Group rest{
      fmt::format("({} more)", chart.groups.size() - groups),
      std::vector(chart.bar_titles.size(), std::vector<std::uint64_t>(chart.series.size()))};
  for (const BarChart::Group& group : std::span(chart.groups).subspan(groups))
    for (std::size_t bar = 0; bar < group.bars.size(); ++bar)
      std::ranges::transform(rest.bars[bar], group.bars[bar], rest.bars[bar].begin(),
                             std::plus<>());
  chart.groups.resize(groups);
  chart.groups.push_back(std::move(rest));
}

void leave_out_unknown(Table& table) {
  for (std::size_t column = table.head.columns.size(); column-- > 0;) {
    const bool is_known = std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      return !std::holds_alternative<std::monostate>(row[column]);
    });
    if (is_known) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.head.columns.erase(table.head.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

}  // namespace physmem
