// SPDX-License-Identifier: MIT
// Lines over a common axis, with bands for the state of the system.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "analyzer/report/axis.h"
#include "analyzer/report/drawing.h"
#include "analyzer/report/heading.h"
#include "analyzer/report/line_thinning.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Number of labels with separate colours. Further lines are grey and share one entry of the
/// legend.
inline constexpr std::size_t kMaxLabelsOfLines = 33;

/// Keeps a reference to the series.
class SeriesPainter : public Drawing {
 public:
  SeriesPainter(const Series& series, const Room& room, Canvas& ruler);

  std::size_t sheets() const override { return sheets_.size(); }
  double height(std::size_t sheet) const override { return sheets_[sheet].height; }
  void draw(Canvas& canvas, std::size_t sheet) const override;

 private:
  /// A panel with data computed once for all sheets.
  struct Panel {
    const Series::Panel* shape = nullptr;
    std::vector<std::vector<LineRun>> lines;
    Axis axis;
    bool is_empty = true;
  };
  /// The contents of one sheet: panels first_panel..end_panel-1, then notes.
  struct Sheet {
    std::size_t first_panel = 0;
    std::size_t end_panel = 0;
    std::size_t first_note = 0;
    std::size_t end_note = 0;
    double panel_height = 0;
    double height = 0;
  };

  std::vector<LegendItem> legend_of_lines() const;
  std::vector<LegendItem> legend() const;
  LineStyle style_of(const Series::Line& line) const;
  bool has_place(double x) const;
  void measure_x();
  void measure_panels();
  Panel measured(const Series::Panel& shape);
  void measure_columns(Canvas& ruler);
  void place_panels();
  void place_notes();
  double notes_height(std::size_t count) const;

  double x_of(double value) const { return left_ + x_axis_.part(value) * (right_ - left_); }
  static double y_of(double value, const Axis& axis, const Rect& plot);
  void draw_ribbon(Canvas& canvas, double top) const;
  void draw_panel(Canvas& canvas, const Panel& panel, const Rect& plot) const;
  void draw_bands(Canvas& canvas, const Rect& plot) const;
  void draw_grid(Canvas& canvas, const Panel& panel, const Rect& plot) const;
  void draw_levels(Canvas& canvas, const Panel& panel, const Rect& plot) const;
  void draw_lines(Canvas& canvas, const Panel& panel, const Rect& plot) const;
  void draw_line(Canvas& canvas, const Panel& panel, std::size_t index, const Rect& plot) const;
  void draw_marks(Canvas& canvas, const std::string& name, const LineRun& values,
                  const std::vector<Point>& points, const LineStyle& style) const;
  void draw_x_axis(Canvas& canvas, double top) const;

  const Series& series_;
  Room room_;
  // Labels of lines, numbered in order of appearance. A label has the same colour in all panels.
  std::map<std::string, std::size_t> labels_;
  Heading heading_;
  std::vector<Panel> panels_;
  std::vector<std::string> notes_;  // broken into lines
  std::vector<Sheet> sheets_;
  Axis x_axis_;
  std::size_t below_logarithm_ = 0;  // numbers that a logarithmic axis cannot show
  double left_ = 0;  // of the plots; numbers are left of it, names of levels right of them
  double right_ = 0;
};

}  // namespace physmem
