// SPDX-License-Identifier: MIT
#include "analyzer/analyze/map_line.h"

#include <algorithm>

namespace physmem {

std::string MapLines::blank(std::uint64_t line) const {
  const std::uint64_t here = std::min(kMapColumns, pages_ - line * kMapColumns);
  return std::string(here, '.') + std::string(kMapColumns - here, ' ');
}

void MapLines::empty_lines(std::uint64_t from, std::uint64_t to) {
  if (to - from > kMaxGap) {
    const std::uint64_t end = std::min(to * kMapColumns, pages_);
    sink_({from * kMapColumns, {}, end - from * kMapColumns});
    return;
  }
  for (; from < to; ++from) sink_({from * kMapColumns, blank(from), 0});
}

void MapLines::open(std::uint64_t line) {
  empty_lines(next_line_, line);
  line_ = {line * kMapColumns, blank(line), 0};
  next_line_ = line + 1;
  is_open_ = true;
}

void MapLines::close() {
  if (is_open_) sink_(line_);
  is_open_ = false;
}

void MapLines::put(std::uint64_t page, char cell) {
  const std::uint64_t line = page / kMapColumns;
  if (!is_open_ || line + 1 != next_line_) {
    close();
    open(line);
  }
  line_.cells[page % kMapColumns] = cell;
}

void MapLines::finish() {
  close();
  const std::uint64_t lines = (pages_ + kMapColumns - 1) / kMapColumns;
  empty_lines(next_line_, lines);
  next_line_ = lines;
}

}  // namespace physmem
