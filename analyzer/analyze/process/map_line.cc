// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/map_line.h"

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

void MapLines::put(std::uint64_t page, std::uint64_t pages, char cell) {
  const std::uint64_t end = page + pages;
  while (page < end) {
    const std::uint64_t alike = page % kMapColumns == 0 ? (end - page) / kMapColumns : 0;
    // The first of many lines is shown, and the line after it says how many pages follow.
    const bool is_long = alike > kMaxAlike;
    const std::uint64_t stop = is_long ? page + kMapColumns : end;
    const std::uint64_t here = std::min(stop, (page / kMapColumns + 1) * kMapColumns);
    for (; page < here; ++page) put(page, cell);
    if (!is_long) continue;
    close();
    sink_({page, std::string(kMapColumns, cell), (alike - 1) * kMapColumns});
    page += (alike - 1) * kMapColumns;
    next_line_ = page / kMapColumns;
  }
}

void MapLines::finish() {
  close();
  const std::uint64_t lines = (pages_ + kMapColumns - 1) / kMapColumns;
  empty_lines(next_line_, lines);
  next_line_ = lines;
}

}  // namespace physmem
