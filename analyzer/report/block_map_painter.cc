// SPDX-License-Identifier: MIT
#include "analyzer/report/block_map_painter.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/printable.h"

namespace physmem {
namespace {

constexpr std::size_t kBlocksInLine = 128;
constexpr std::size_t kBlocksInGroup = 16;  // followed by a small gap
constexpr double kBlockGroupSpace = 2;
constexpr double kBlockGap = 0.6;
constexpr double kHeadingHeight = 18;
constexpr double kDotSize = 0.36;  // of a cell
constexpr Font kBlockAddressFont{.size = 7, .monospace = true};
constexpr Font kHeadingFont{.size = 9, .bold = true};
/// How light a cell is whose block is nearly free. Steps, so that equal cells are one run.
constexpr double kLightest = 0.8;
constexpr unsigned kStep = 10;

Colour fill_of(const BlockMap& map, const BlockMap::Cell& cell) {
  const Colour full = rgb(map.uses[cell.use].colour);
  if (cell.use == 0) return full;
  const unsigned steps = cell.free / kStep * kStep;
  return lighter(full, kLightest * steps / 100);
}

bool look_alike(const BlockMap::Cell& a, const BlockMap::Cell& b) {
  return a.is_hole == b.is_hole && a.use == b.use && a.free / kStep == b.free / kStep &&
         a.has_unmovable == b.has_unmovable;
}

std::vector<LegendItem> legend_of(const BlockMap& map) {
  std::vector<LegendItem> items;
  for (const BlockMap::Use& use : map.uses)
    items.push_back({use.label, rgb(use.colour), rgb(use.colour)});
  if (items.empty()) return items;
  const Colour example = items.back().fill;
  items.push_back(
      {"the lighter, the more of the block is free", lighter(example, kLightest), example});
  items.back().begins_line = true;
  items.push_back({"with pages that cannot be moved", example, example, '.'});
  return items;
}

}  // namespace

BlockMapPainter::BlockMapPainter(const BlockMap& map, const Room& room, Canvas& ruler)
    : map_(map), room_(room), heading_(map.title, map.subtitle, legend_of(map), room.width, ruler) {
  std::uint64_t last = 0;
  for (const BlockMap::Part& part : map.parts)
    last = std::max(last, part.address + part.cells.size() * map.cell_bytes);
  left_ = ruler.width(fmt::format("{:010X}", last), kBlockAddressFont) + 8;
  constexpr std::size_t kSpaces = kBlocksInLine / kBlocksInGroup - 1;
  pitch_ = (room.width - left_ - static_cast<double>(kSpaces) * kBlockGroupSpace) / kBlocksInLine;
  sheets_.push_back({{}, heading_.height() + 4});
  for (std::size_t part = 0; part < map.parts.size(); ++part) {
    if (!map.parts[part].heading.empty()) place(part, 0, 0);
    const std::size_t cells = map.parts[part].cells.size();
    for (std::size_t begin = 0; begin < cells; begin += kBlocksInLine)
      place(part, begin, std::min(cells, begin + kBlocksInLine));
  }
}

void BlockMapPainter::place(std::size_t part, std::size_t begin, std::size_t end) {
  const double height = begin == end ? kHeadingHeight : pitch_ + kBlockGap;
  // A heading is never the last row of a sheet.
  const double needed = begin == end ? height + pitch_ : height;
  if (sheets_.back().bottom + needed > room_.height && !sheets_.back().rows.empty())
    sheets_.push_back({{}, heading_.height() + 4});
  Sheet& sheet = sheets_.back();
  sheet.rows.push_back({part, begin, end, sheet.bottom});
  sheet.bottom += height;
}

void BlockMapPainter::draw(Canvas& canvas, std::size_t sheet) const {
  heading_.draw(canvas, {0, 0});
  for (const Row& row : sheets_[sheet].rows) {
    if (row.begin == row.end)
      canvas.text({0, row.y + kHeadingHeight - 5}, map_.parts[row.part].heading, kHeadingFont,
                  kInk);
    else
      draw_cells(canvas, row);
  }
}

/// Draws a run of cells that look alike as one, with one tooltip.
void BlockMapPainter::draw_cells(Canvas& canvas, const Row& row) const {
  const BlockMap::Part& part = map_.parts[row.part];
  canvas.text({0, row.y + pitch_ - 0.5},
              fmt::format("{:010X}", part.address + row.begin * map_.cell_bytes), kBlockAddressFont,
              kQuietInk);
  for (std::size_t begin = row.begin, end = 0; begin < row.end; begin = end) {
    end = begin + 1;
    while (end < row.end && look_alike(part.cells[begin], part.cells[end])) ++end;
    if (!part.cells[begin].is_hole) draw_run(canvas, part.cells[begin], row, begin, end);
  }
}

void BlockMapPainter::draw_run(Canvas& canvas, const BlockMap::Cell& cell, const Row& row,
                               std::size_t begin, std::size_t end) const {
  const double side = pitch_ - kBlockGap;
  std::vector<Rect> cells, dots;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t column = i - row.begin;
    const std::size_t groups = column / kBlocksInGroup;
    const double x = left_ + static_cast<double>(column) * pitch_ +
                     static_cast<double>(groups) * kBlockGroupSpace;
    cells.push_back({x, row.y, side, side});
    const double dot = side * kDotSize;
    dots.push_back({x + (side - dot) / 2, row.y + (side - dot) / 2, dot, dot});
  }
  const BlockMap::Part& part = map_.parts[row.part];
  const unsigned free = cell.free / kStep * kStep;
  const Tooltip tooltip(
      canvas, fmt::format("{:X}, {}: {}, {} to {} % free{}", part.address + begin * map_.cell_bytes,
                          counted(end - begin, "cell"), map_.uses[cell.use].label, free,
                          std::min(free + kStep - 1, 100U),
                          cell.has_unmovable ? ", with pages that cannot be moved" : ""));
  const Colour fill = fill_of(map_, cell);
  canvas.fill(cells, fill);
  if (cell.has_unmovable) canvas.fill(dots, readable_on(fill));
}

}  // namespace physmem
