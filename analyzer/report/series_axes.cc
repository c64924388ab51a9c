// SPDX-License-Identifier: MIT
#include "analyzer/report/series_axes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analyzer/report/drawing.h"

namespace physmem {
namespace {

constexpr Font kAxisTitleFont{.size = 9, .bold = true};
constexpr Font kLevelFont{.size = 8, .italic = true};
constexpr double kTitleBase = 5;         // from the base line of a title to the plot
constexpr double kNumberGap = 5;         // between a number and its axis
constexpr double kTickDistanceOfX = 70;  // minimum distance of numbers along x
constexpr double kTickDistanceOfY = 28;  // minimum distance of numbers along y
constexpr double kPowerHeight = 18;      // the same, between powers of ten, which need fewer lines
constexpr double kMaxLevelWidth = 120;
constexpr double kMinPositive = 1e-200;

std::size_t ticks_in(double length, double distance) {
  return std::max<std::size_t>(static_cast<std::size_t>(length / distance), 2);
}

/// Moves neighbours apart, as little as possible, until each has `distance` to the next. They stay
/// inside first..last if there is room. `places` are ascending.
void spread(std::vector<double>& places, double distance, double first, double last) {
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = std::max(places[i], i == 0 ? first : places[i - 1] + distance);
  for (std::size_t i = places.size(); i-- > 0;)
    places[i] = std::min(places[i], i + 1 == places.size() ? last : places[i + 1] - distance);
}

const char* scale_name(const Axis& axis) {
  return axis.is_logarithmic ? " (logarithmic)" : "";
}

/// Whether the y axis of the panel can show the value.
bool takes(const Series::Panel& panel, double y) {
  return is_drawable(y) && (!panel.is_logarithmic || y >= kMinPositive);
}

}  // namespace

SeriesAxes::SeriesAxes(const Series& series, double width, double plot_height, Canvas& ruler)
    : series_(series), width_(width) {
  measure_x();
  measure_panels(plot_height);
  measure_columns(ruler);
}

/// Whether the x axis can show the value.
bool SeriesAxes::has_place(double x) const {
  return is_drawable(x) && (!series_.has_logarithmic_x || x >= kMinPositive);
}

bool SeriesAxes::shows(const Series::Panel& panel, double x, double y) const {
  return has_place(x) && takes(panel, y);
}

void SeriesAxes::measure_x() {
  AxisRange extent;
  bool has_marks = false;
  bool is_whole = true;
  for (const Series::Panel& panel : series_.panels)
    for (const Series::Line& line : panel.lines) {
      has_marks = has_marks || line.has_marks;
      for (const auto& [x, y] : line.points)
        if (has_place(x) && is_drawable(y)) {
          extent.add(x);
          is_whole = is_whole && x == std::floor(x);
        }
    }
  for (const Series::Band& band : series_.bands)
    for (const double x : {band.begin, band.end})
      if (has_place(x)) extent.add(x);
  const std::size_t limit = ticks_in(width_ - 60, kTickDistanceOfX);
  if (series_.has_logarithmic_x) {
    x_ = logarithmic_axis(extent, limit);
    return;
  }
  if (has_marks && !extent.is_empty()) {  // the frame would cut a mark in two
    const double room = extent.max > extent.min ? (extent.max - extent.min) * 0.03 : 1;
    extent = {extent.min - room, extent.max + room};
  }
  x_ = series_.clock_zero ? clock_axis(extent, *series_.clock_zero, limit)
                          : tight_axis(extent, limit, is_whole ? 1 : 0);
  if (series_.has_date_x)
    for (Axis::Tick& tick : x_.ticks) tick.text = date_text(tick.value);
}

SeriesAxes::Panel SeriesAxes::measured(const Series::Panel& shape, double plot_height) {
  Panel panel;
  AxisRange extent;
  for (const Series::Level& level : shape.levels)
    if (takes(shape, level.y)) extent.add(level.y);
  for (const Series::Line& line : shape.lines)
    for (const auto& [x, y] : line.points) {
      if (!is_drawable(x) || !is_drawable(y)) continue;
      if (shows(shape, x, y)) {
        extent.add(y);
        panel.is_empty = false;
      } else {
        ++below_logarithm_;
      }
    }
  panel.y = shape.is_logarithmic ? logarithmic_axis(extent, ticks_in(plot_height, kPowerHeight))
                                 : rounded_axis(extent, ticks_in(plot_height, kTickDistanceOfY));
  return panel;
}

void SeriesAxes::measure_panels(double plot_height) {
  bool is_empty = true;
  for (const Series::Panel& shape : series_.panels) {
    panels_.push_back(measured(shape, plot_height));
    is_empty = is_empty && panels_.back().is_empty;
  }
  if (is_empty && series_.bands.empty()) panels_.clear();
}

void SeriesAxes::measure_columns(Canvas& ruler) {
  double numbers = 0;
  double levels = 0;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    for (const Axis::Tick& tick : panels_[i].y.ticks)
      numbers = std::max(numbers, ruler.width(tick.text, kAxisFont));
    for (const Series::Level& level : series_.panels[i].levels)
      levels = std::max(
          levels, std::min(ruler.width(level.label, kLevelFont), kMaxLevelWidth) + kNumberGap + 3);
  }
  double last_number = 0;  // half of it extends beyond the plot
  if (!x_.ticks.empty()) last_number = ruler.width(x_.ticks.back().text, kAxisFont) / 2;
  left_ = numbers + kNumberGap;
  right_ = width_ - std::max(levels, last_number);
}

double SeriesAxes::y_of(double value, std::size_t panel, const Rect& plot) const {
  return plot.y + (1 - panels_[panel].y.part(value)) * plot.height;
}

std::string SeriesAxes::title(std::size_t panel) const {
  return series_.panels[panel].title + scale_name(panels_[panel].y);
}

double SeriesAxes::title_width(std::size_t panel, Canvas& ruler) const {
  return ruler.width(title(panel), kAxisTitleFont);
}

void SeriesAxes::draw_title(Canvas& canvas, std::size_t panel, const Rect& plot) const {
  canvas.text({plot.x, plot.y - kTitleBase},
              canvas.fitted(title(panel), kAxisTitleFont, plot.width), kAxisTitleFont, kInk);
}

void SeriesAxes::draw_panel(Canvas& canvas, std::size_t panel, const Rect& plot) const {
  draw_grid(canvas, panel, plot);
  canvas.outline({plot}, kAxisLine, 0.7);
  draw_levels(canvas, panel, plot);
}

void SeriesAxes::draw_grid(Canvas& canvas, std::size_t panel, const Rect& plot) const {
  const Colour grid = series_.bands.empty() ? kGridLine : rgb(0xC8C8C8);
  for (const Axis::Tick& tick : x_.ticks) {
    const double x = x_of(tick.value);
    canvas.line({x, plot.y}, {x, plot.y + plot.height}, grid, 0.5);
  }
  double lowest_free = plot.y + plot.height + kAxisFont.size;
  for (const Axis::Tick& tick : panels_[panel].y.ticks) {
    const double y = y_of(tick.value, panel, plot);
    canvas.line({plot.x, y}, {plot.x + plot.width, y}, grid, tick.text.empty() ? 0.25 : 0.5);
    if (tick.text.empty() || y + kAxisFont.size > lowest_free + 0.01)
      continue;  // a low plot has no room
    canvas.text({plot.x - kNumberGap, y + kAxisFont.size * 0.36}, tick.text, kAxisFont, kQuietInk,
                Align::kRight);
    lowest_free = y - 1;
  }
}

void SeriesAxes::draw_levels(Canvas& canvas, std::size_t panel, const Rect& plot) const {
  std::vector<std::pair<double, const Series::Level*>> levels;
  for (const Series::Level& level : series_.panels[panel].levels) {
    const double part = is_drawable(level.y) ? panels_[panel].y.part(level.y) : -1;
    if (part >= 0 && part <= 1) levels.emplace_back(y_of(level.y, panel, plot), &level);
  }
  std::sort(levels.begin(), levels.end());
  std::vector<double> places;
  places.reserve(levels.size());
  for (const auto& [y, level] : levels) places.push_back(y);
  spread(places, kLevelFont.size + 1, plot.y, plot.y + plot.height);
  const double end = plot.x + plot.width;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto& [y, level] = levels[i];
    canvas.polyline({{plot.x, y}, {end, y}}, {kQuietInk, 0.8, Dash::kDashed});
    canvas.line({end, y}, {end + kNumberGap, places[i]}, kQuietInk, 0.6);
    canvas.text({end + kNumberGap + 2, places[i] + kLevelFont.size * 0.34},
                canvas.fitted(level->label, kLevelFont, kMaxLevelWidth), kLevelFont, kInk);
  }
}

void SeriesAxes::draw_x(Canvas& canvas, double top) const {
  for (const Axis::Tick& tick : x_.ticks) {
    const double x = x_of(tick.value);
    canvas.line({x, top}, {x, top + 3}, kAxisLine, 0.6);
    canvas.text({x, top + 4 + kAxisFont.size}, tick.text, kAxisFont, kQuietInk, Align::kCentre);
  }
  const std::string title = series_.x_title + scale_name(x_);
  canvas.text({(left_ + right_) / 2, top + kHeight - 6},
              canvas.fitted(title, kAxisTitleFont, right_ - left_), kAxisTitleFont, kInk,
              Align::kCentre);
}

}  // namespace physmem
