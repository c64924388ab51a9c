// SPDX-License-Identifier: MIT
// The appearance of the lines of a series, and the legend that explains lines and bands.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "analyzer/report/heading.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Number of labels with separate colours. Further lines are grey and share one entry of the
/// legend.
inline constexpr std::size_t kMaxLabelsOfLines = 33;

/// Numbers the labels of lines in order of appearance. A label has the same style in all panels.
class SeriesLegend {
 public:
  explicit SeriesLegend(const Series& series);

  /// A line without a label has the style of the first label.
  LineStyle style_of(const Series::Line& line) const;
  /// One item per label of the panel's lines.
  std::vector<LegendItem> items_of(const Series::Panel& panel) const;
  /// Of the panels without a legend of their own: one item per label of their lines, then one per
  /// state of bands, by severity. States begin a new line of the legend.
  std::vector<LegendItem> items(const Series& series, const std::vector<bool>& have_own) const;
  /// The character that represents the band if its name does not fit: its own, or the digit of its
  /// severity.
  static char mark_of(const Series::Band& band);

 private:
  using Items = std::map<std::size_t, LegendItem>;  ///< by the number of the label

  void add_items(const Series::Panel& panel, Items& items) const;

  std::map<std::string, std::size_t> labels_;
};

}  // namespace physmem
