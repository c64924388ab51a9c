// SPDX-License-Identifier: MIT
#include "analyzer/shape/first_rows.h"

#include <algorithm>

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
