// SPDX-License-Identifier: MIT
// What stands on top of every sheet: title, subtitle, legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/report/canvas.h"

namespace physmem {

/// How a line of a diagram looks.
struct LineStyle {
  Stroke stroke;
  std::optional<MarkShape> mark = {};  ///< of its points
};

struct LegendItem {
  std::string label;  ///< empty: the next item's label is this one's too
  Colour fill;
  Colour edge;
  char mark = ' ';                     ///< a character inside the colour
  std::optional<LineStyle> line = {};  ///< a piece of this line instead of the colour
  bool begins_line = false;  ///< of the legend: another kind of thing is explained from here on
};

class Heading {
 public:
  /// Legend items flow into as many lines as it takes to stay within `width`.
  Heading(const std::string& title, const std::string& subtitle, std::vector<LegendItem> legend,
          double width, Canvas& ruler);

  double height() const;
  /// `at`: upper left corner.
  void draw(Canvas& canvas, Point at) const;

 private:
  struct Placed {
    LegendItem item;
    Point offset;  // from the legend's upper left corner
  };

  double text_height() const;
  static void draw_sample(Canvas& canvas, const LegendItem& item, const Rect& place);

  std::string title_;
  std::string subtitle_;
  std::vector<Placed> legend_;
  double legend_height_ = 0;
};

}  // namespace physmem
