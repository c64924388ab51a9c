// SPDX-License-Identifier: MIT
#include "analyzer/report/share_bar_text.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "analyzer/shape/share_cells.h"

namespace physmem {
namespace {

/// Backgrounds of the first parts, light enough for black letters: of 256 colours, and the similar
/// ones of 8.
constexpr std::array kOf256{"48;5;75", "48;5;114", "48;5;221", "48;5;210", "48;5;250"};
constexpr std::array kOf8{"46", "42", "43", "45", "47"};

}  // namespace

std::string share_bar_text(const ShareBar& bar, std::size_t columns, int colours) {
  const auto& backgrounds = colours >= 256 ? kOf256 : kOf8;
  const std::vector<std::size_t> cells = share_cells(bar, columns - 2);
  std::string text = "[";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string letters(cells[i], bar.parts[i].letter);
    const bool has_colour = colours >= 8 && i < backgrounds.size() && cells[i] != 0;
    text += has_colour ? fmt::format("\033[30;{}m{}\033[0m", backgrounds[i], letters) : letters;
  }
  return text + "]";
}

}  // namespace physmem
