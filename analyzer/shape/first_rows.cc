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

}  // namespace physmem
