// SPDX-License-Identifier: MIT
// The axes of a series: one x axis for all panels, one y axis per panel, and the columns left and
// right of the plots. Lengths are in points.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/report/axis.h"
#include "analyzer/report/canvas.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Keeps a reference to the series.
class SeriesAxes {
 public:
  /// Height of the numbers and the title below the last plot.
  static constexpr double kHeight = 32;

  /// `width`: of the whole drawing, with the columns on both sides of the plots. `plot_height`
  /// limits the number of ticks; plots may be drawn with another height.
  SeriesAxes(const Series& series, double width, double plot_height, Canvas& ruler);

  /// Panels to draw: all, or 0 if no panel has a value and there are no bands.
  std::size_t panels() const { return panels_.size(); }
  /// Whether no value of the panel can be drawn.
  bool is_empty(std::size_t panel) const { return panels_[panel].is_empty; }
  /// Whether the panel can show the point. False for values that are not drawable (axis.h), and for
  /// 0 or less on a logarithmic axis.
  bool shows(const Series::Panel& panel, double x, double y) const;
  /// Number of drawable points that logarithmic axes cannot show.
  std::size_t below_logarithm() const { return below_logarithm_; }

  const Axis& x() const { return x_; }
  double x_of(double value) const { return left_ + x_.part(value) * (right_ - left_); }
  double y_of(double value, std::size_t panel, const Rect& plot) const;
  /// The place of a plot between the columns.
  Rect plot(double top, double height) const { return {left_, top, right_ - left_, height}; }
  /// Units of x in the first `points` of the drawing. On a logarithmic axis, later ones cover more.
  double first_units(double points) const { return x_.value(points / width_) - x_.min; }

  double title_width(std::size_t panel, Canvas& ruler) const;
  /// Draws the title above the plot.
  void draw_title(Canvas& canvas, std::size_t panel, const Rect& plot) const;
  /// Draws the grid, the numbers left of the plot, its frame, and the levels with their names right
  /// of it.
  void draw_panel(Canvas& canvas, std::size_t panel, const Rect& plot) const;
  /// Draws the numbers and the title of the x axis below `top`.
  void draw_x(Canvas& canvas, double top) const;

 private:
  struct Panel {
    Axis y;
    bool is_empty = true;
  };

  std::string title(std::size_t panel) const;
  bool has_place(double x) const;
  void measure_x();
  void measure_panels(double plot_height);
  Panel measured(const Series::Panel& shape, double plot_height);
  void measure_columns(Canvas& ruler);
  void draw_grid(Canvas& canvas, std::size_t panel, const Rect& plot) const;
  void draw_levels(Canvas& canvas, std::size_t panel, const Rect& plot) const;

  const Series& series_;
  double width_;
  Axis x_;
  std::vector<Panel> panels_;
  std::size_t below_logarithm_ = 0;
  double left_ = 0;  // of the plots; numbers are left of it, names of levels right of them
  double right_ = 0;
};

}  // namespace physmem
