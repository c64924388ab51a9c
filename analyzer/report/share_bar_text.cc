// SPDX-License-Identifier: MIT
#include "analyzer/report/share_bar_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace physmem {
namespace {

/// Backgrounds of the first parts, light enough for black letters.
constexpr int kColours[] = {75, 114, 221, 210, 250};

/// Cells of each part; the largest gives what others have too much.
std::vector<std::size_t> cells_of(const ShareBar& bar, std::size_t columns) {
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
  auto most = std::max_element(cells.begin(), cells.end());
  if (used < columns) *most += columns - used;
  for (; used > columns; --used) {
    most = std::max_element(cells.begin(), cells.end());
    --*most;
  }
  return cells;
}

}  // namespace

std::string share_bar_text(const ShareBar& bar, std::size_t columns, bool is_coloured) {
  const std::vector<std::size_t> cells = cells_of(bar, columns - 2);
  std::string text = "[";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string letters(cells[i], bar.parts[i].letter);
    const bool has_colour = is_coloured && i < std::size(kColours) && cells[i] != 0;
    text += has_colour ? fmt::format("\033[30;48;5;{}m{}\033[0m", kColours[i], letters) : letters;
  }
  return text + "]";
}

}  // namespace physmem
