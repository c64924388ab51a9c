// SPDX-License-Identifier: MIT
// Stacked horizontal bars, as in figures 3 and 6 of the paper.
#pragma once

#include <string>
#include <vector>

#include "analyzer/report/drawing.h"
#include "analyzer/report/heading.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Most groups in one picture. Its last line states how many are left out.
inline constexpr std::size_t kMaxGroupsInPicture = 120;

/// Keeps a reference to the chart.
class BarChartPainter : public Drawing {
 public:
  BarChartPainter(const BarChart& chart, const Room& room, Canvas& ruler);

  std::size_t sheets() const override;
  double height(std::size_t sheet) const override;
  void draw(Canvas& canvas, std::size_t sheet) const override;
  /// A phrase on what the picture leaves out; empty if it shows all.
  const std::string& left_out() const { return left_out_; }

 private:
  /// The groups of one sheet and the positions of their bars.
  struct Plot {
    std::size_t first = 0;
    std::size_t end = 0;
    double top = 0;
    double bottom = 0;
  };

  void measure_columns(Canvas& ruler);
  void measure_rows();
  Plot plot(std::size_t sheet) const;
  double x_of(double pages) const { return left_ + pages * points_per_page_; }
  void draw_page_axis(Canvas& canvas, const Plot& plot) const;
  /// Its grid goes down to `end`.
  void draw_byte_axis(Canvas& canvas, const Plot& plot, double end) const;
  void draw_group(Canvas& canvas, std::size_t index, double y) const;
  void draw_bar(Canvas& canvas, const BarChart::Group& group, std::size_t bar, double y) const;
  std::string tooltip(const BarChart::Group& group, std::size_t bar, std::size_t series) const;

  const BarChart& chart_;
  Room room_;
  Heading heading_;
  std::size_t bars_ = 1;             // of each group
  std::size_t shown_ = 0;            // groups
  std::size_t per_sheet_ = 1;        // groups
  std::vector<std::string> labels_;  // of the groups that are shown
  std::string left_out_;             // the last line of a picture that is too small
  double max_ = 1;                   // pages of the longest bar, or 1
  double left_ = 0;                  // of the plot; labels are left of it, totals right of the bars
  double right_ = 0;
  double points_per_page_ = 0;
  double bar_height_ = 0;
  double group_pitch_ = 0;
};

}  // namespace physmem
