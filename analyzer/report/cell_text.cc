// SPDX-License-Identifier: MIT
#include "analyzer/report/cell_text.h"

#include <fmt/compile.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace physmem {

bool is_unknown(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return !std::isfinite(*number);
  return std::holds_alternative<std::monostate>(cell);
}

const Cell& cell_at(const std::vector<Cell>& cells, std::size_t column) {
  static const Cell kUnknown;
  return column < cells.size() ? cells[column] : kUnknown;
}

const std::string* plain_text(const Cell& cell) {
  if (const auto* const word = std::get_if<Word>(&cell)) return &word->word;
  return std::get_if<std::string>(&cell);
}

void append_cell(std::string& to, const Cell& cell, Column::Kind kind) {
  if (is_unknown(cell)) return;
  if (const auto* text = std::get_if<std::string>(&cell)) {
    to += *text;
  } else if (const auto* word = std::get_if<Word>(&cell)) {
    to += word->title;
  } else if (const auto* number = std::get_if<double>(&cell)) {
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("{:.2f}"), *number);
  } else if (const auto* change = std::get_if<SizeChange>(&cell)) {
    if (change->after < change->before) to += '-';
    const auto [less, more] = std::minmax(change->before, change->after);
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("{}"), more - less);
  } else if (kind == Column::Kind::kHex) {
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("0X{:08X}"), std::get<std::uint64_t>(cell));
  } else {
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("{}"), std::get<std::uint64_t>(cell));
  }
}

bool has_titles(const TableHead& head) {
  return std::any_of(head.columns.begin(), head.columns.end(),
                     [](const Column& column) { return !column.title.empty(); });
}

}  // namespace physmem
