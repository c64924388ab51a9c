// SPDX-License-Identifier: MIT
// The values of a series as marks: bands as bars of colour, lines, and their points. Lengths are in
// points (1/72 inch).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/report/canvas.h"
#include "analyzer/report/heading.h"
#include "analyzer/report/line_thinning.h"
#include "analyzer/report/series_axes.h"
#include "analyzer/report/series_legend.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Keeps a reference to the series. All functions require the axes of the constructor.
class SeriesMarks {
 public:
  /// Height of the ribbon with the names of the states, above the first plot.
  static constexpr double kRibbon = 11;

  /// Thins lines with more points than the drawing has columns.
  SeriesMarks(const Series& series, const SeriesAxes& axes, const SeriesLegend& legend);

  /// Draws the states in full colour, with their names if they fit.
  void draw_ribbon(Canvas& canvas, const SeriesAxes& axes, double top) const;
  /// Draws the states in light colours, as the background of a plot.
  void draw_bands(Canvas& canvas, const SeriesAxes& axes, const Rect& plot) const;
  /// Draws the panel's lines. The first line is the most important one: it is drawn last, above the
  /// others.
  void draw_lines(Canvas& canvas, const SeriesAxes& axes, std::size_t panel,
                  const Rect& plot) const;

 private:
  struct Line {
    std::string name;  ///< for tooltips: label and title of the panel
    LineStyle style;
    std::vector<LineRun> runs;
  };

  void draw_line(Canvas& canvas, const Line& line,
                 const std::vector<std::vector<Point>>& runs) const;
  void draw_points(Canvas& canvas, const Line& line, std::size_t run,
                   const std::vector<Point>& points) const;

  const Series& series_;
  std::vector<std::vector<Line>> panels_;  // of the axes
};

}  // namespace physmem
