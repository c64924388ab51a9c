// SPDX-License-Identifier: MIT
#include "analyzer/report/treemap_painter.h"
#include "analyzer/shape/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace physmem {
namespace {

constexpr double kMapHeight = 440;
constexpr double kTitleRoom = 12;  // of a rectangle with children
constexpr double kInset = 2;
constexpr double kMinSide = 3;  // smaller rectangles are one with their neighbours
constexpr double kMinWidthOfText = 26;
constexpr double kLabelRoom = 11;
constexpr Font kFolderFont{.size = 8, .bold = true};
constexpr Font kLabelFont{.size = 7.5};

double worst_ratio(double side, double sum, double largest, double smallest) {
  return std::max(side * side * largest / (sum * sum), sum * sum / (side * side * smallest));
}

/// One row of rectangles along the shorter side of `room`, which loses that row.
void place_row(const std::vector<double>& areas, std::size_t begin, std::size_t end, Rect& room,
               std::vector<Rect>& placed) {
  const double sum = std::accumulate(areas.begin() + static_cast<std::ptrdiff_t>(begin),
                                     areas.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
  const bool is_column = room.width >= room.height;
  const double side = is_column ? room.height : room.width;
  const double depth = side > 0 ? sum / side : 0;
  double along = is_column ? room.y : room.x;
  for (std::size_t i = begin; i < end; ++i) {
    const double length = depth > 0 ? areas[i] / depth : 0;
    placed.push_back(is_column ? Rect{room.x, along, depth, length}
                               : Rect{along, room.y, length, depth});
    along += length;
  }
  if (is_column) {
    room.x += depth;
    room.width -= depth;
  } else {
    room.y += depth;
    room.height -= depth;
  }
}

/// A folder is darker than a file.
constexpr double kFolder = 0.2;
constexpr double kFile = 0.6;

std::string size_of(const Treemap& map, const Treemap::Node& node) {
  return human_size(node.pages, PageSize{map.page_size});
}

std::vector<LegendItem> legend_of(const Treemap& map) {
  std::vector<LegendItem> items;
  for (std::size_t i = 0; i < std::min(map.nodes.size(), kSeriesColours.size()); ++i)
    items.push_back({map.nodes[i].label + " " + size_of(map, map.nodes[i]),
                     lighter(series_colour(i), kFolder), series_colour(i)});
  return items;
}

double inner(double side) {
  return std::max(side - 2 * kInset, 0.0);
}

}  // namespace

std::vector<Rect> squarified(const std::vector<double>& sizes, Rect room) {
  const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  std::vector<double> areas;
  areas.reserve(sizes.size());
  for (const double size : sizes)
    areas.push_back(all > 0 ? size / all * room.width * room.height : 0);
  std::vector<Rect> placed;
  for (std::size_t begin = 0, end = 0; begin < areas.size(); begin = end) {
    const double side = std::min(room.width, room.height);
    double sum = areas[begin];
    for (end = begin + 1; end < areas.size() && areas[end] > 0; ++end) {
      const double longer = sum + areas[end];
      if (worst_ratio(side, longer, areas[begin], areas[end]) >
          worst_ratio(side, sum, areas[begin], areas[end - 1]))
        break;
      sum = longer;
    }
    place_row(areas, begin, end, room, placed);
  }
  return placed;
}

TreemapPainter::TreemapPainter(const Treemap& map, const Room& room, Canvas& ruler)
    : map_(map),
      room_(room),
      heading_(map.title, map.subtitle, legend_of(map), room.width, ruler) {}

double TreemapPainter::height(std::size_t) const {
  return heading_.height() + 6 + kMapHeight;
}

void TreemapPainter::draw(Canvas& canvas, std::size_t) const {
  heading_.draw(canvas, {0, 0});
  std::uint64_t pages = 0;
  for (const Treemap::Node& node : map_.nodes) pages += node.pages;
  const double top = heading_.height() + 6;
  draw_nodes(canvas, map_.nodes, pages,
             {0, top, room_.width, std::min(kMapHeight, room_.height - top)}, 0, kPaper);
}

/// `pages`: of the room; what the nodes lack of them stays empty.
void TreemapPainter::draw_nodes(Canvas& canvas, const std::vector<Treemap::Node>& nodes,
                                std::uint64_t pages, const Rect& room, std::size_t depth,
                                Colour colour) const {
  std::vector<double> sizes;
  sizes.reserve(nodes.size() + 1);
  for (const Treemap::Node& node : nodes) sizes.push_back(static_cast<double>(node.pages));
  const double known = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  sizes.push_back(std::max(static_cast<double>(pages) - known, 0.0));
  const std::vector<Rect> places = squarified(sizes, room);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    draw_node(canvas, nodes[i], places[i], depth, depth == 0 ? series_colour(i) : colour);
}

void TreemapPainter::draw_node(Canvas& canvas, const Treemap::Node& node, const Rect& room,
                               std::size_t depth, Colour colour) const {
  if (room.width < kMinSide || room.height < kMinSide) return;
  const Colour fill = lighter(colour, node.children.empty() && depth != 0 ? kFile : kFolder);
  {
    const Tooltip tooltip(canvas, node.tooltip.empty() ? node.label : node.tooltip);
    canvas.fill(room, fill);
    canvas.outline({room}, kPaper, 0.8);
    const bool has_children = !node.children.empty();
    const Font& font = has_children ? kFolderFont : kLabelFont;
    if (room.width >= kMinWidthOfText && room.height >= kLabelRoom)
      draw_label(canvas, node, room, font, readable_on(fill));
  }
  const Rect inside{room.x + kInset, room.y + kTitleRoom, inner(room.width),
                    std::max(room.height - kTitleRoom - kInset, 0.0)};
  if (!node.children.empty())
    draw_nodes(canvas, node.children, node.pages, inside, depth + 1, colour);
}

/// The size follows the name, or is below it if only that has room.
void TreemapPainter::draw_label(Canvas& canvas, const Treemap::Node& node, const Rect& room,
                                const Font& font, Colour colour) const {
  const std::string size = size_of(map_, node), both = node.label + "  " + size;
  const double width = room.width - 5;
  const bool fits = canvas.width(both, font) <= width;
  canvas.text({room.x + 3, room.y + 8.5}, fits ? both : canvas.fitted(node.label, font, width),
              font, colour);
  const bool has_second_line = node.children.empty() && room.height >= 2 * kLabelRoom;
  if (!fits && has_second_line && canvas.width(size, font) <= width)
    canvas.text({room.x + 3, room.y + 8.5 + kLabelRoom}, size, font, colour);
}

}  // namespace physmem
