// SPDX-License-Identifier: MIT
// Nested rectangles, as square as possible (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/report/drawing.h"
#include "analyzer/report/heading.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Areas proportional to `sizes`, which descend, inside `room`. Sizes of 0 have no area.
std::vector<Rect> squarified(const std::vector<double>& sizes, Rect room);

/// Keeps a reference to the map.
class TreemapPainter : public Drawing {
 public:
  TreemapPainter(const Treemap& map, const Room& room, Canvas& ruler);

  std::size_t sheets() const override { return 1; }
  double height(std::size_t sheet) const override;
  void draw(Canvas& canvas, std::size_t sheet) const override;

 private:
  void draw_nodes(Canvas& canvas, const std::vector<Treemap::Node>& nodes, std::uint64_t pages,
                  const Rect& room, std::size_t depth, Colour colour) const;
  void draw_label(Canvas& canvas, const Treemap::Node& node, const Rect& room, const Font& font,
                  Colour colour) const;
  void draw_node(Canvas& canvas, const Treemap::Node& node, const Rect& room, std::size_t depth,
                 Colour colour) const;

  const Treemap& map_;
  Room room_;
  Heading heading_;
};

}  // namespace physmem
