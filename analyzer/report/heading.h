// SPDX-License-Identifier: MIT
// The top of every sheet: title, subtitle and legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/report/canvas.h"

namespace physmem {

/// The appearance of a line in a diagram.
struct LineStyle {
  Stroke stroke;
  std::optional<MarkShape> mark = {};  ///< of its points
};

struct LegendItem {
  std::string label;  ///< empty: the item shares the label of the next one
  Colour fill;
  Colour edge;
  char mark = ' ';                     ///< a character inside the colour
  std::optional<LineStyle> line = {};  ///< show a piece of this line instead of the colour
  bool begins_line = false;            ///< start a new line of the legend, for another kind of item
};

class Heading {
 public:
  /// Breaks the legend into lines of at most `width`.
  Heading(const std::string& title, const std::string& subtitle, std::vector<LegendItem> legend,
          double width, Canvas& ruler);

  double height() const;
  /// Whether the legend has at most one line.
  bool has_one_line() const;
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
