// SPDX-License-Identifier: MIT
#include "analyzer/shape/share_cells.h"

#include <algorithm>

namespace physmem {

std::vector<std::size_t> share_cells(const ShareBar& bar, std::size_t columns) {
  double sum = 0;
  for (const ShareBar::Part& part : bar.parts) sum += static_cast<double>(part.value);
  std::vector<std::size_t> cells;
  std::size_t used = 0;
  for (const ShareBar::Part& part : bar.parts) {
    const double share = sum == 0 ? 0 : static_cast<double>(part.value) / sum;
    const auto whole = static_cast<std::size_t>(share * static_cast<double>(columns));
    cells.push_back(part.value == 0 ? 0 : std::max<std::size_t>(whole, 1));
    used += cells.back();
  }
  if (cells.empty() || sum == 0) return cells;
  const auto most = [&] { return std::max_element(cells.begin(), cells.end()); };
  if (used < columns) *most() += columns - used;
  for (; used > columns; --used) --*most();
  return cells;
}

}  // namespace physmem
