// SPDX-License-Identifier: MIT
#include "analyzer/report/series_marks.h"

#include "program/moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace physmem {
namespace {

constexpr Font kRibbonFont{.size = 7.5};
constexpr double kCasing = 1.3;  // edge in the paper's colour on both sides of a line over bands
constexpr double kMarkSize = 5.5;
constexpr double kBandTint = 0.66;  // lightness of bands in the plots, so that lines stay readable
/// Column width for thinning lines, in points: half a point is one pixel of a PNG.
constexpr double kColumn = 0.5;

Series::Band clipped(Series::Band band, const Axis& axis) {
  band.begin = std::max(band.begin, axis.min);
  band.end = std::min(band.end, axis.max);
  return band;
}

bool is_visible(const Series::Band& band) {
  return band.begin < band.end;  // false for NaN
}

/// The place of a visible band in a plot or ribbon.
Rect place_of(const Series::Band& band, const SeriesAxes& axes, const Rect& plot) {
  return {axes.x_of(band.begin), plot.y, axes.x_of(band.end) - axes.x_of(band.begin), plot.height};
}

std::string name_of(const Series::Line& line, const Series::Panel& panel) {
  if (line.label.empty()) return panel.title;
  return line.label + (line.is_fit ? ", fitted, " : ", ") + panel.title;
}

/// The runs of the line that its panel can show.
std::vector<LineRun> runs_of(const Series::Line& line, const Series::Panel& panel,
                             const SeriesAxes& axes) {
  LineRun points = line.points;
  for (auto& [x, y] : points)
    if (!axes.shows(panel, x, y)) y = std::nan("");
  // On a logarithmic axis the first column is the narrowest.
  return thinned(points, axes.first_units(kColumn));
}

}  // namespace

SeriesMarks::SeriesMarks(const Series& series, const SeriesAxes& axes, const SeriesLegend& legend)
    : series_(series), panels_(axes.panels()) {
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const Series::Panel& panel = series.panels[i];
    for (const Series::Line& line : panel.lines)
      panels_[i].push_back(
          {name_of(line, panel), legend.style_of(line), runs_of(line, panel, axes)});
  }
}

void SeriesMarks::draw_ribbon(Canvas& canvas, const SeriesAxes& axes, double top) const {
  const Rect ribbon = axes.plot(top, kRibbon);
  for (const Series::Band& whole : series_.bands) {
    const Series::Band band = clipped(whole, axes.x());
    if (!is_visible(band)) continue;
    const Colour colour = severity_colour(band.severity);
    const Rect place = place_of(band, axes, ribbon);
    const Tooltip tooltip(canvas, fmt::format("{}: {:g} to {:g}, {}", band.label, band.begin,
                                              band.end, series_.x_title));
    canvas.fill(place, colour);
    const std::string mark(1, SeriesLegend::mark_of(band));
    const Point middle{place.x + place.width / 2, top + kRibbon - 3};
    for (const std::string& text : {mark + " " + band.label, mark})
      if (canvas.width(text, kRibbonFont) + 4 <= place.width) {
        canvas.text(middle, text, kRibbonFont, readable_on(colour), Align::kCentre);
        break;
      }
  }
  canvas.outline({ribbon}, kAxisLine, 0.5);
}

void SeriesMarks::draw_bands(Canvas& canvas, const SeriesAxes& axes, const Rect& plot) const {
  for (const Series::Band& whole : series_.bands) {
    const Series::Band band = clipped(whole, axes.x());
    if (!is_visible(band)) continue;
    canvas.fill(place_of(band, axes, plot), lighter(severity_colour(band.severity), kBandTint));
  }
}

void SeriesMarks::draw_lines(Canvas& canvas, const SeriesAxes& axes, std::size_t panel,
                             const Rect& plot) const {
  const std::vector<Line>& lines = panels_[panel];
  for (std::size_t i = lines.size(); i-- > 0;) {
    std::vector<std::vector<Point>> runs;
    for (const LineRun& run : lines[i].runs) {
      std::vector<Point>& points = runs.emplace_back();
      for (const auto& [x, y] : run) points.push_back({axes.x_of(x), axes.y_of(y, panel, plot)});
    }
    if (!runs.empty()) draw_line(canvas, lines[i], runs);
  }
}

void SeriesMarks::draw_line(Canvas& canvas, const Line& line,
                            const std::vector<std::vector<Point>>& runs) const {
  const LineStyle& style = line.style;
  const Tooltip tooltip(canvas, line.name);
  if (!series_.bands.empty())
    for (const auto& run : runs)
      canvas.polyline(run, {kPaper, style.stroke.width + 2 * kCasing, Dash::kSolid});
  for (const auto& run : runs) canvas.polyline(run, style.stroke);
  // A single point between two gaps gets a larger dot, because one of the line's width is hard to
  // see.
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (style.mark || runs[i].size() == 1) draw_points(canvas, line, i, runs[i]);
}

void SeriesMarks::draw_points(Canvas& canvas, const Line& line, std::size_t run,
                              const std::vector<Point>& points) const {
  const LineStyle& style = line.style;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y] = line.runs[run][i];
    const Tooltip tooltip(
        canvas, series_.has_date_x ? fmt::format("{}: {:g} on {}", line.name, y, date_text(x))
                : series_.clock_zero
                    ? fmt::format("{}: {:g} at {}", line.name, y,
                                  clock_text(*series_.clock_zero + static_cast<std::int64_t>(x)))
                    : fmt::format("{}: {:g} at {:g}, {}", line.name, y, x, series_.x_title));
    canvas.marks(style.mark.value_or(MarkShape::kCircle), {points[i]},
                 style.mark ? kMarkSize : kMarkSize * 0.6, style.stroke.colour);
  }
}

}  // namespace physmem
