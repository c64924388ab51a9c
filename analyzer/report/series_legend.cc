// SPDX-License-Identifier: MIT
#include "analyzer/report/series_legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace physmem {
namespace {

constexpr double kLineWidth = 1.4;
constexpr Colour kOtherLines = rgb(0xB4B4B4);

std::map<std::string, std::size_t> numbered_labels(const Series& series) {
  std::map<std::string, std::size_t> labels;
  for (const Series::Panel& panel : series.panels)
    for (const Series::Line& line : panel.lines)
      if (!line.label.empty()) labels.emplace(line.label, labels.size());
  return labels;
}

std::size_t severity_step(const Series::Band& band) {
  return std::min<std::size_t>(band.severity, kSeverityColours.size() - 1);
}

}  // namespace

SeriesLegend::SeriesLegend(const Series& series) : labels_(numbered_labels(series)) {}

LineStyle SeriesLegend::style_of(const Series::Line& line) const {
  const auto found = labels_.find(line.label);
  const std::size_t index = found == labels_.end() ? 0 : found->second;
  if (index >= kMaxLabelsOfLines) return {{kOtherLines, kLineWidth * 0.7, Dash::kSolid}, {}};
  constexpr std::size_t kDashes = 3;
  constexpr std::size_t kShapes = 5;
  LineStyle style{
      {line_colour(index), kLineWidth, static_cast<Dash>(index / kLineColours % kDashes)}, {}};
  if (line.is_fit) style.stroke.dash = Dash::kDashed;
  if (line.has_marks) style.mark = static_cast<MarkShape>(index % kShapes);
  return style;
}

char SeriesLegend::mark_of(const Series::Band& band) {
  return band.mark != 0 ? band.mark : static_cast<char>('0' + severity_step(band));
}

std::vector<LegendItem> SeriesLegend::line_items(const Series& series) const {
  std::vector<LegendItem> items(labels_.size(), {"", kPaper, kPaper});
  for (const Series::Panel& panel : series.panels)
    for (const Series::Line& line : panel.lines) {
      if (line.label.empty()) continue;
      LegendItem& item = items[labels_.at(line.label)];
      item.label = line.label;
      if (!item.line || line.has_marks) item.line = style_of(line);
    }
  if (items.size() <= kMaxLabelsOfLines) return items;
  const std::string more = fmt::format("{} more", items.size() - kMaxLabelsOfLines);
  items.resize(kMaxLabelsOfLines + 1);
  items.back().label = more;
  return items;
}

std::vector<LegendItem> SeriesLegend::items(const Series& series) const {
  std::vector<LegendItem> items = line_items(series);
  std::set<std::tuple<std::size_t, char, std::string>> states;
  for (const Series::Band& band : series.bands)
    states.emplace(severity_step(band), mark_of(band), band.label);
  bool is_first = true;
  for (const auto& [step, mark, label] : states)
    items.push_back({.label = label,
                     .fill = severity_colour(step),
                     .edge = kAxisLine,
                     .mark = mark,
                     .begins_line = std::exchange(is_first, false)});
  return items;
}

}  // namespace physmem
