// SPDX-License-Identifier: MIT
#include "analyzer/report/share_bar_text.h"

#include <fmt/format.h>

#include <vector>

#include "analyzer/shape/share_cells.h"

namespace physmem {
namespace {

/// Backgrounds of the first parts, light enough for black letters.
constexpr int kColours[] = {75, 114, 221, 210, 250};

}  // namespace

std::string share_bar_text(const ShareBar& bar, std::size_t columns, bool is_coloured) {
  const std::vector<std::size_t> cells = share_cells(bar, columns - 2);
  std::string text = "[";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string letters(cells[i], bar.parts[i].letter);
    const bool has_colour = is_coloured && i < std::size(kColours) && cells[i] != 0;
    text += has_colour ? fmt::format("\033[30;48;5;{}m{}\033[0m", kColours[i], letters) : letters;
  }
  return text + "]";
}

}  // namespace physmem
