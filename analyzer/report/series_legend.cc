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

void SeriesLegend::add_items(const Series::Panel& panel, Items& items) const {
  for (const Series::Line& line : panel.lines) {
    if (line.label.empty()) continue;
    const auto [item, is_new] =
        items.try_emplace(labels_.at(line.label), LegendItem{line.label, kPaper, kPaper});
    if (is_new || line.has_marks) item->second.line = style_of(line);
  }
}

std::vector<LegendItem> SeriesLegend::items_of(const Series::Panel& panel) const {
  Items found;
  add_items(panel, found);
  std::vector<LegendItem> items;
  for (auto& [number, item] : found) items.push_back(std::move(item));
  return items;
}

std::vector<LegendItem> SeriesLegend::items(const Series& series,
                                            const std::vector<bool>& have_own) const {
  Items found;
  for (std::size_t i = 0; i < series.panels.size(); ++i)
    if (!have_own[i]) add_items(series.panels[i], found);
  std::vector<LegendItem> items;
  const auto first_other = found.lower_bound(kMaxLabelsOfLines);
  for (auto item = found.begin(); item != first_other; ++item)
    items.push_back(std::move(item->second));
  if (const auto more = std::distance(first_other, found.end()); more > 0)
    items.push_back({fmt::format("{} more", more), kPaper, kPaper, ' ', first_other->second.line});
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
