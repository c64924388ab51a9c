// SPDX-License-Identifier: MIT
// Lines over a common axis, with bands for the state of the system. series_axes, series_marks and
// series_legend draw the parts; this places them on sheets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/report/drawing.h"
#include "analyzer/report/heading.h"
#include "analyzer/report/series_axes.h"
#include "analyzer/report/series_legend.h"
#include "analyzer/report/series_marks.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Keeps a reference to the series.
class SeriesPainter : public Drawing {
 public:
  SeriesPainter(const Series& series, const Room& room, Canvas& ruler);

  std::size_t sheets() const override { return sheets_.size(); }
  double height(std::size_t sheet) const override { return sheets_[sheet].height; }
  void draw(Canvas& canvas, std::size_t sheet) const override;

 private:
  /// The contents of one sheet: panels first_panel..end_panel-1, then notes.
  struct Sheet {
    std::size_t first_panel = 0;
    std::size_t end_panel = 0;
    std::size_t first_note = 0;
    std::size_t end_note = 0;
    double panel_height = 0;
    double height = 0;
  };

  /// Of one panel, next to its title.
  struct PanelLegend {
    Heading items;
    double x = 0;  ///< from the plot's left edge
  };

  std::vector<std::optional<PanelLegend>> panel_legends(const Series& series, Canvas& ruler) const;
  std::vector<bool> have_legends() const;
  void break_notes(const Series& series, Canvas& ruler);
  void place_panels();
  void place_notes();
  double notes_height(std::size_t count) const;
  void draw_panel(Canvas& canvas, std::size_t panel, const Rect& plot) const;

  Room room_;
  bool has_bands_;
  SeriesLegend legend_;
  SeriesAxes axes_;
  std::vector<std::optional<PanelLegend>> panel_legends_;
  Heading heading_;
  SeriesMarks marks_;
  std::vector<std::string> notes_;  // broken into lines
  std::vector<Sheet> sheets_;
};

}  // namespace physmem
