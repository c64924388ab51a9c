// SPDX-License-Identifier: MIT
#include "analyzer/report/series_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace physmem {
namespace {

constexpr Font kAxisFont{.size = 8};
constexpr Font kTitleFont{.size = 9, .bold = true};
constexpr Font kLevelFont{.size = 8, .italic = true};
constexpr Font kRibbonFont{.size = 7.5};
constexpr Font kNoteFont{.size = 9, .italic = true};
constexpr double kTickGap = 5;        // between a number and its axis
constexpr double kTickDistance = 70;  // minimum distance of numbers along x
constexpr double kTickHeight = 28;    // minimum distance of numbers along y
constexpr double kPowerHeight = 18;   // the same, between powers of ten, which need fewer lines
constexpr double kPanelTitle = 17;    // above a plot
constexpr double kPanelGap = 8;
constexpr double kAxisHeight = 32;  // numbers and title below the last plot
constexpr double kRibbon = 11;      // the states' names, above the first plot
constexpr double kNoteLine = 13;
constexpr double kMinPanel = 96;  // height of a plot
constexpr double kMaxPanel = 330;
constexpr double kMaxLevelWidth = 120;
constexpr std::size_t kMaxNotesBelow = 8;  // lines; more get a sheet of their own
constexpr double kLineWidth = 1.4;
constexpr double kCasing =
    1.3;  // edge in the paper's colour on both sides of a line over a coloured band
constexpr double kMarkSize = 5.5;
constexpr double kBandTint = 0.66;  // lightness of bands in the plots, so that lines stay readable
/// Column width for thinning lines, in points: half a point is one pixel of a PNG.
constexpr double kColumn = 0.5;
constexpr double kMinPositive = 1e-200;
constexpr Colour kOtherLines = rgb(0xB4B4B4);

/// Height of the plots in a picture; fewer plots are taller.
double picture_panel_height(std::size_t panels) {
  return panels <= 1 ? 300 : panels == 2 ? 190 : 145;
}

std::size_t ticks_in(double length, double distance) {
  return std::max<std::size_t>(static_cast<std::size_t>(length / distance), 2);
}

/// Breaks the text into lines at blanks. A word that is too long is shortened.
std::vector<std::string> lines_of(const std::string& text, const Font& font, double width,
                                  Canvas& ruler) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    std::string longer = line;
    if (!line.empty()) longer += ' ';
    longer += word;
    if (line.empty() || ruler.width(longer, font) <= width) {
      line = longer;
    } else {
      lines.push_back(ruler.fitted(line, font, width));
      line = word;
    }
    at = end + 1;
  }
  lines.push_back(ruler.fitted(line, font, width));
  return lines;
}

/// Moves neighbours apart, as little as possible, until each has `distance` to the next. They stay
/// inside first..last if there is room. `places` are ascending.
void spread(std::vector<double>& places, double distance, double first, double last) {
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = std::max(places[i], i == 0 ? first : places[i - 1] + distance);
  for (std::size_t i = places.size(); i-- > 0;)
    places[i] = std::min(places[i], i + 1 == places.size() ? last : places[i + 1] - distance);
}

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

char mark_of(const Series::Band& band) {
  return band.mark != 0 ? band.mark : static_cast<char>('0' + severity_step(band));
}

Series::Band clipped(Series::Band band, const Axis& axis) {
  band.begin = std::max(band.begin, axis.min);
  band.end = std::min(band.end, axis.max);
  return band;
}

const char* scale_name(const Axis& axis) {
  return axis.is_logarithmic ? " (logarithmic)" : "";
}

bool is_visible(const Series::Band& band) {
  return band.begin < band.end;  // false for NaN
}

}  // namespace

SeriesPainter::SeriesPainter(const Series& series, const Room& room, Canvas& ruler)
    : series_(series),
      room_(room),
      labels_(numbered_labels(series)),
      heading_(series.title, series.subtitle, legend(), room.width, ruler) {
  measure_x();
  measure_panels();
  measure_columns(ruler);
  for (const std::string& note : series.notes)
    for (std::string& line : lines_of(note, kNoteFont, room.width, ruler))
      notes_.push_back(std::move(line));
  if (below_logarithm_ > 0)
    notes_.push_back(
        fmt::format("not drawn, because a logarithmic axis ends above 0: {} value{} of 0 or less",
                    below_logarithm_, below_logarithm_ == 1 ? "" : "s"));
  place_panels();
  place_notes();
}

LineStyle SeriesPainter::style_of(const Series::Line& line) const {
  const auto found = labels_.find(line.label);
  const std::size_t index = found == labels_.end() ? 0 : found->second;
  if (index >= kMaxLabelsOfLines) return {{kOtherLines, kLineWidth * 0.7, Dash::kSolid}, {}};
  constexpr std::size_t kDashes = 3;
  constexpr std::size_t kShapes = 5;
  LineStyle style{
      {line_colour(index), kLineWidth, static_cast<Dash>(index / kLineColours % kDashes)}, {}};
  if (line.has_marks) style.mark = static_cast<MarkShape>(index % kShapes);
  return style;
}

std::vector<LegendItem> SeriesPainter::legend_of_lines() const {
  std::vector<LegendItem> items(labels_.size(), {"", kPaper, kPaper});
  for (const Series::Panel& panel : series_.panels)
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

/// Lines first, then the states of the bands.
std::vector<LegendItem> SeriesPainter::legend() const {
  std::vector<LegendItem> items = legend_of_lines();
  std::set<std::tuple<std::size_t, char, std::string>> states;
  for (const Series::Band& band : series_.bands)
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

/// Whether the axis can show the value.
bool SeriesPainter::has_place(double x) const {
  return is_drawable(x) && (!series_.has_logarithmic_x || x >= kMinPositive);
}

void SeriesPainter::measure_x() {
  Extent extent;
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
  const std::size_t most = ticks_in(room_.width - 60, kTickDistance);
  if (series_.has_logarithmic_x) {
    x_axis_ = logarithmic_axis(extent, most);
    return;
  }
  if (has_marks && !extent.is_empty()) {  // the frame would cut a mark in two
    const double room = extent.max > extent.min ? (extent.max - extent.min) * 0.03 : 1;
    extent = {extent.min - room, extent.max + room};
  }
  x_axis_ = tight_axis(extent, most, is_whole ? 1 : 0);
}

SeriesPainter::Panel SeriesPainter::measured(const Series::Panel& shape) {
  Panel panel;
  panel.shape = &shape;
  Extent extent;
  const auto takes = [&shape](double y) { return !shape.is_logarithmic || y >= kMinPositive; };
  for (const Series::Level& level : shape.levels)
    if (is_drawable(level.y) && takes(level.y)) extent.add(level.y);
  // On a logarithmic axis the first column is the narrowest.
  const double column = x_axis_.value(kColumn / room_.width) - x_axis_.min;
  for (const Series::Line& line : shape.lines) {
    LineRun points = line.points;
    for (auto& [x, y] : points) {
      if (!is_drawable(x) || !is_drawable(y)) continue;
      if (takes(y) && has_place(x)) {
        extent.add(y);
        panel.is_empty = false;
      } else {
        y = std::nan("");
        ++below_logarithm_;
      }
    }
    panel.lines.push_back(thinned(points, column));
  }
  const double height = picture_panel_height(series_.panels.size());
  panel.axis = shape.is_logarithmic ? logarithmic_axis(extent, ticks_in(height, kPowerHeight))
                                    : rounded_axis(extent, ticks_in(height, kTickHeight));
  return panel;
}

void SeriesPainter::measure_panels() {
  bool is_empty = true;
  for (const Series::Panel& shape : series_.panels) {
    panels_.push_back(measured(shape));
    is_empty = is_empty && panels_.back().is_empty;
  }
  if (is_empty && series_.bands.empty()) panels_.clear();
}

void SeriesPainter::measure_columns(Canvas& ruler) {
  double numbers = 0;
  double levels = 0;
  for (const Panel& panel : panels_) {
    for (const Axis::Tick& tick : panel.axis.ticks)
      numbers = std::max(numbers, ruler.width(tick.text, kAxisFont));
    for (const Series::Level& level : panel.shape->levels)
      levels = std::max(
          levels, std::min(ruler.width(level.label, kLevelFont), kMaxLevelWidth) + kTickGap + 3);
  }
  double last_number = 0;  // half of it extends beyond the plot
  if (!x_axis_.ticks.empty()) last_number = ruler.width(x_axis_.ticks.back().text, kAxisFont) / 2;
  left_ = numbers + kTickGap;
  right_ = room_.width - std::max(levels, last_number);
}

void SeriesPainter::place_panels() {
  const double top = heading_.height() + (series_.bands.empty() ? 0 : kRibbon + 4);
  const double pitch_extra = kPanelTitle + kPanelGap;
  const double room = room_.height - top - kAxisHeight;
  std::size_t per_sheet = std::max<std::size_t>(panels_.size(), 1);
  if (!room_.is_one_picture())
    per_sheet = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::max(room, 0.0) / (kMinPanel + pitch_extra)), 1, per_sheet);
  // Fills sheets evenly: 4 and 3 panels rather than 6 and 1.
  const std::size_t count = std::max<std::size_t>((panels_.size() + per_sheet - 1) / per_sheet, 1);
  per_sheet = (panels_.size() + count - 1) / count;
  for (std::size_t first = 0; sheets_.empty() || first < panels_.size(); first += per_sheet) {
    Sheet sheet;
    sheet.first_panel = first;
    sheet.end_panel = std::min(first + per_sheet, panels_.size());
    const double panels = static_cast<double>(per_sheet);
    sheet.panel_height = room_.is_one_picture()
                             ? picture_panel_height(panels_.size())
                             : std::clamp(room / panels - pitch_extra, 40.0, kMaxPanel);
    sheet.height = panels_.empty() ? heading_.height() + 2 * kNoteLine
                                   : top + kAxisHeight +
                                         static_cast<double>(sheet.end_panel - sheet.first_panel) *
                                             (sheet.panel_height + pitch_extra);
    sheets_.push_back(sheet);
    if (panels_.empty()) break;
  }
}

double SeriesPainter::notes_height(std::size_t count) const {
  return count == 0 ? 0 : 6 + kNoteLine * static_cast<double>(count);
}

void SeriesPainter::place_notes() {
  Sheet& last = sheets_.back();
  if (room_.is_one_picture() || notes_.size() <= kMaxNotesBelow) {
    last.end_note = notes_.size();
    // On paper, plots shrink to make room for the few lines below them.
    const double too_tall = last.height + notes_height(notes_.size()) - room_.height;
    const double plots = static_cast<double>(last.end_panel - last.first_panel);
    if (too_tall > 0 && plots > 0) {
      last.panel_height -= too_tall / plots;
      last.height -= too_tall;
    }
    last.height += notes_height(notes_.size());
    return;
  }
  const auto per_sheet = static_cast<std::size_t>(
      std::max((room_.height - heading_.height() - notes_height(1)) / kNoteLine, 1.0));
  for (std::size_t first = 0; first < notes_.size(); first += per_sheet) {
    Sheet sheet;
    sheet.first_panel = sheet.end_panel = panels_.size();
    sheet.first_note = first;
    sheet.end_note = std::min(first + per_sheet, notes_.size());
    sheet.height = heading_.height() + notes_height(sheet.end_note - sheet.first_note);
    sheets_.push_back(sheet);
  }
}

void SeriesPainter::draw(Canvas& canvas, std::size_t number) const {
  const Sheet& sheet = sheets_[number];
  heading_.draw(canvas, {0, 0});
  double y = heading_.height();
  if (sheet.first_panel < sheet.end_panel) {
    if (!series_.bands.empty()) {
      draw_ribbon(canvas, y + 4);
      y += kRibbon + 4;
    }
    for (std::size_t i = sheet.first_panel; i < sheet.end_panel; ++i) {
      draw_panel(canvas, panels_[i], {left_, y + kPanelTitle, right_ - left_, sheet.panel_height});
      y += kPanelTitle + sheet.panel_height + kPanelGap;
    }
    draw_x_axis(canvas, y - kPanelGap);
    y += kAxisHeight;
  } else if (panels_.empty()) {
    canvas.text({0, y + kNoteFont.size + 3}, "nothing to show", kNoteFont, kQuietInk);
    y += 2 * kNoteLine;
  }
  for (std::size_t i = sheet.first_note; i < sheet.end_note; ++i) {
    y += kNoteLine;
    canvas.text({0, y}, notes_[i], kNoteFont, kQuietInk);
  }
}

/// Draws the states in full colour, with their names if they fit.
void SeriesPainter::draw_ribbon(Canvas& canvas, double top) const {
  for (const Series::Band& whole : series_.bands) {
    const Series::Band band = clipped(whole, x_axis_);
    if (!is_visible(band)) continue;
    const Colour colour = severity_colour(band.severity);
    const Rect place{x_of(band.begin), top, x_of(band.end) - x_of(band.begin), kRibbon};
    const Tooltip tooltip(canvas, fmt::format("{}: {:g} to {:g}, {}", band.label, band.begin,
                                              band.end, series_.x_title));
    canvas.fill(place, colour);
    const std::string mark(1, mark_of(band));
    const Point middle{place.x + place.width / 2, top + kRibbon - 3};
    for (const std::string& text : {mark + " " + band.label, mark})
      if (canvas.width(text, kRibbonFont) + 4 <= place.width) {
        canvas.text(middle, text, kRibbonFont, readable_on(colour), Align::kCentre);
        break;
      }
  }
  canvas.outline({{left_, top, right_ - left_, kRibbon}}, kAxisLine, 0.5);
}

double SeriesPainter::y_of(double value, const Axis& axis, const Rect& plot) {
  return plot.y + (1 - axis.part(value)) * plot.height;
}

void SeriesPainter::draw_panel(Canvas& canvas, const Panel& panel, const Rect& plot) const {
  const std::string title =
      canvas.fitted(panel.shape->title + scale_name(panel.axis), kTitleFont, plot.width);
  canvas.text({plot.x, plot.y - 5}, title, kTitleFont, kInk);
  draw_bands(canvas, plot);
  draw_grid(canvas, panel, plot);
  canvas.outline({plot}, kAxisLine, 0.7);
  draw_levels(canvas, panel, plot);
  draw_lines(canvas, panel, plot);
  if (panel.is_empty)
    canvas.text({plot.x + plot.width / 2, plot.y + plot.height / 2}, "nothing to show", kNoteFont,
                kQuietInk, Align::kCentre);
}

void SeriesPainter::draw_bands(Canvas& canvas, const Rect& plot) const {
  for (const Series::Band& whole : series_.bands) {
    const Series::Band band = clipped(whole, x_axis_);
    if (!is_visible(band)) continue;
    canvas.fill(Rect{x_of(band.begin), plot.y, x_of(band.end) - x_of(band.begin), plot.height},
                lighter(severity_colour(band.severity), kBandTint));
  }
}

void SeriesPainter::draw_grid(Canvas& canvas, const Panel& panel, const Rect& plot) const {
  const Colour grid = series_.bands.empty() ? kGridLine : rgb(0xC8C8C8);
  for (const Axis::Tick& tick : x_axis_.ticks) {
    const double x = x_of(tick.value);
    canvas.line({x, plot.y}, {x, plot.y + plot.height}, grid, 0.5);
  }
  double lowest_free = plot.y + plot.height + kAxisFont.size;
  for (const Axis::Tick& tick : panel.axis.ticks) {
    const double y = y_of(tick.value, panel.axis, plot);
    canvas.line({plot.x, y}, {plot.x + plot.width, y}, grid, tick.text.empty() ? 0.25 : 0.5);
    if (tick.text.empty() || y + kAxisFont.size > lowest_free + 0.01)
      continue;  // a low plot has no room
    canvas.text({plot.x - kTickGap, y + kAxisFont.size * 0.36}, tick.text, kAxisFont, kQuietInk,
                Align::kRight);
    lowest_free = y - 1;
  }
}

void SeriesPainter::draw_levels(Canvas& canvas, const Panel& panel, const Rect& plot) const {
  std::vector<std::pair<double, const Series::Level*>> levels;
  for (const Series::Level& level : panel.shape->levels) {
    const double part = is_drawable(level.y) ? panel.axis.part(level.y) : -1;
    if (part >= 0 && part <= 1) levels.emplace_back(y_of(level.y, panel.axis, plot), &level);
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
    canvas.line({end, y}, {end + kTickGap, places[i]}, kQuietInk, 0.6);
    canvas.text({end + kTickGap + 2, places[i] + kLevelFont.size * 0.34},
                canvas.fitted(level->label, kLevelFont, kMaxLevelWidth), kLevelFont, kInk);
  }
}

void SeriesPainter::draw_lines(Canvas& canvas, const Panel& panel, const Rect& plot) const {
  // The first line is the most important one: it is drawn last, above the others.
  for (std::size_t i = panel.lines.size(); i-- > 0;) draw_line(canvas, panel, i, plot);
}

void SeriesPainter::draw_line(Canvas& canvas, const Panel& panel, std::size_t index,
                              const Rect& plot) const {
  const Series::Line& line = panel.shape->lines[index];
  const LineStyle style = style_of(line);
  std::vector<std::vector<Point>> runs;
  for (const LineRun& run : panel.lines[index]) {
    std::vector<Point>& points = runs.emplace_back();
    for (const auto& [x, y] : run) points.push_back({x_of(x), y_of(y, panel.axis, plot)});
  }
  if (runs.empty()) return;
  const std::string name =
      line.label.empty() ? panel.shape->title : line.label + ", " + panel.shape->title;
  const Tooltip tooltip(canvas, name);
  if (!series_.bands.empty())
    for (const auto& run : runs)
      canvas.polyline(run, {kPaper, style.stroke.width + 2 * kCasing, Dash::kSolid});
  for (const auto& run : runs) canvas.polyline(run, style.stroke);
  // A single point between two gaps gets a larger dot, because one of the line's width is hard to
  // see.
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (style.mark || runs[i].size() == 1)
      draw_marks(canvas, name, panel.lines[index][i], runs[i], style);
}

void SeriesPainter::draw_marks(Canvas& canvas, const std::string& name, const LineRun& values,
                               const std::vector<Point>& points, const LineStyle& style) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y] = values[i];
    const Tooltip tooltip(canvas, fmt::format("{}: {:g} at {:g}, {}", name, y, x, series_.x_title));
    canvas.marks(style.mark.value_or(MarkShape::kCircle), {points[i]},
                 style.mark ? kMarkSize : kMarkSize * 0.6, style.stroke.colour);
  }
}

void SeriesPainter::draw_x_axis(Canvas& canvas, double top) const {
  for (const Axis::Tick& tick : x_axis_.ticks) {
    const double x = x_of(tick.value);
    canvas.line({x, top}, {x, top + 3}, kAxisLine, 0.6);
    canvas.text({x, top + 4 + kAxisFont.size}, tick.text, kAxisFont, kQuietInk, Align::kCentre);
  }
  const std::string title = series_.x_title + scale_name(x_axis_);
  canvas.text({(left_ + right_) / 2, top + kAxisHeight - 6},
              canvas.fitted(title, kTitleFont, right_ - left_), kTitleFont, kInk, Align::kCentre);
}

}  // namespace physmem
