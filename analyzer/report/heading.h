// SPDX-License-Identifier: MIT
// What stands on top of every sheet: title, subtitle, legend.
#pragma once

#include <string>
#include <vector>

#include "analyzer/report/canvas.h"

namespace physmem {

struct LegendItem {
  std::string label;  ///< empty: the next item's label is this one's too
  Colour fill;
  Colour edge;
  char mark = ' ';  ///< a character inside the colour
};

class Heading {
 public:
  /// Legend items flow into as many lines as it takes to stay within `width`.
  Heading(const std::string& title, const std::string& subtitle, std::vector<LegendItem> legend, double width,
          Canvas& ruler);

  double height() const;
  /// `at`: upper left corner.
  void draw(Canvas& canvas, Point at) const;

 private:
  struct Placed {
    LegendItem item;
    Point offset;  // from the legend's upper left corner
  };

  double text_height() const;

  std::string title_;
  std::string subtitle_;
  std::vector<Placed> legend_;
  double legend_height_ = 0;
};

}  // namespace physmem
