// SPDX-License-Identifier: MIT
#include "analyzer/report/bar_chart_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/report/row_labels.h"
#include "analyzer/report/scale.h"
#include "analyzer/shape/size_cells.h"
#include "analyzer/shape/view.h"

namespace physmem {
namespace {

constexpr double kMaxLabelWidth = 190;
constexpr double kLabelGap = 7;
constexpr double kTotalGap = 4;
constexpr double kAxisHeight = 20;  // numbers above the plot, and below it
constexpr double kNoteHeight = 18;
constexpr double kTickDistance = 26;  // minimum distance between the labels of two ticks
/// Height of a bar on a full sheet. With fewer bars, they are up to kMaxStretch times as large.
constexpr double kBarHeight = 7.4;
constexpr double kBarGap = 0.8;  // between the bars of a group
constexpr double kGroupGap = 3.2;
constexpr double kMaxStretch = 1.6;
constexpr double kPictureStretch = 1.35;
constexpr double kLighter = 0.58;  // for the colours of the second bar

/// Pages of one bar. An overflow of the sum is shown as such instead of wrapping around.
struct Total {
  std::uint64_t pages = 0;
  bool over = false;

  void add(std::uint64_t more) {
    over = over || more > std::numeric_limits<std::uint64_t>::max() - pages;
    pages = over ? std::numeric_limits<std::uint64_t>::max() : pages + more;
  }
  void add(const std::vector<std::uint64_t>& values) {
    for (const std::uint64_t value : values) add(value);
  }
  /// "1234", in pages, or "4.82 MiB".
  std::string text(const BarChart& chart) const {
    const SizeCells sizes(chart.unit, PageSize{chart.page_size});
    return (over ? "> " : "") +
           (chart.unit == SizeUnit::kPages ? fmt::format("{}", pages) : sizes.text(pages));
  }
};

std::string total_text(const std::vector<std::uint64_t>& values, const BarChart& chart) {
  if (values.empty()) return "-";
  Total total;
  total.add(values);
  return total.text(chart);
}

/// Values of a chart that has no pages are KiB. No kernel has pages of this size.
bool is_in_kib(const BarChart& chart) {
  return chart.page_size == 1024;
}

std::string values_name(const BarChart& chart) {
  return is_in_kib(chart) ? "KiB" : "pages";
}

std::string value_text(const BarChart& chart, std::uint64_t value) {
  return is_in_kib(chart) ? fmt::format("{} KiB", value) : counted(value, "page");
}

double length_of(const std::vector<std::uint64_t>& values) {
  double pages = 0;
  for (const std::uint64_t value : values) pages += static_cast<double>(value);
  return pages;
}

std::size_t max_bars(const BarChart& chart) {
  std::size_t bars = std::max<std::size_t>(chart.bar_titles.size(), 1);
  for (const BarChart::Group& group : chart.groups) bars = std::max(bars, group.bars.size());
  return bars;
}

Colour colour_of(const BarChart& chart, std::size_t series) {
  return series < chart.colours.size() ? rgb(chart.colours[series]) : series_colour(series);
}

Colour bar_colour(const BarChart& chart, std::size_t series, std::size_t bar) {
  const Colour colour = colour_of(chart, series);
  return bar == 0 ? colour : lighter(colour, kLighter);
}

std::vector<LegendItem> legend_of(const BarChart& chart) {
  std::vector<LegendItem> items;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    items.push_back({chart.series[i], colour_of(chart, i), colour_of(chart, i)});
  if (chart.bar_titles.size() < 2) return items;
  for (std::size_t bar = 0; bar < chart.bar_titles.size(); ++bar)
    items.push_back({chart.bar_titles[bar] + (bar == 0 ? " (full colour)" : " (light, outlined)"),
                     bar == 0 ? kQuietInk : lighter(kQuietInk, kLighter), kQuietInk});
  return items;
}

/// "and 280 more (12345 pages in all)"; with several bars per group, pages of each.
std::string left_out_text(const BarChart& chart, std::size_t shown, std::size_t bars) {
  if (shown >= chart.groups.size()) return "";
  std::vector<Total> totals(bars);
  for (std::size_t i = shown; i < chart.groups.size(); ++i)
    for (std::size_t bar = 0; bar < chart.groups[i].bars.size(); ++bar)
      totals[bar].add(chart.groups[i].bars[bar]);
  std::string parts;
  for (std::size_t bar = 0; bar < bars; ++bar) {
    const std::string kind =
        bars > 1 && bar < chart.bar_titles.size() ? chart.bar_titles[bar] + " " : "";
    parts += fmt::format("{}{} {}{}", bar == 0 ? "" : ", ", totals[bar].text(chart), kind,
                         chart.unit == SizeUnit::kPages ? "pages" : "");
    parts.erase(parts.find_last_not_of(' ') + 1);
  }
  return fmt::format("and {} more ({} in all)", chart.groups.size() - shown, parts);
}

std::string name_at(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? names[index] : "";
}

Font label_font(double bar_height) {
  return {.size = std::clamp(bar_height * 0.95, 7.0, 9.5)};
}

}  // namespace

BarChartPainter::BarChartPainter(const BarChart& chart, const Room& room, Canvas& ruler)
    : chart_(chart),
      room_(room),
      heading_(chart.title, chart.subtitle, legend_of(chart), room.width, ruler),
      bars_(max_bars(chart)),
      shown_(chart.groups.size()) {
  if (room.is_one_picture()) {
    shown_ = std::min(shown_, kMaxGroupsInPicture);
    left_out_ = left_out_text(chart, shown_, bars_);
  }
  measure_rows();
  measure_columns(ruler);
}

void BarChartPainter::measure_rows() {
  const double bars = static_cast<double>(bars_);
  const double min_pitch = bars * kBarHeight + (bars - 1) * kBarGap + kGroupGap;
  const double room = room_.height - heading_.height() - 2 * kAxisHeight;
  const double wanted = min_pitch * static_cast<double>(std::max<std::size_t>(shown_, 1));
  const double stretch =
      room_.is_one_picture() ? kPictureStretch : std::clamp(room / wanted, 1.0, kMaxStretch);
  bar_height_ = kBarHeight * stretch;
  group_pitch_ = min_pitch * stretch;
  per_sheet_ = room_.is_one_picture()
                   ? shown_
                   : static_cast<std::size_t>(std::max(room / group_pitch_ + 1e-6, 1.0));
}

void BarChartPainter::measure_columns(Canvas& ruler) {
  const Font font = label_font(bar_height_);
  double label_width = ruler.width(values_name(chart_), kAxisFont);
  double total_width = 0;
  double longest = 0;
  for (std::size_t i = 0; i < shown_; ++i) {
    label_width = std::max(label_width, ruler.width(chart_.groups[i].label, font));
    for (const auto& values : chart_.groups[i].bars) {
      total_width = std::max(total_width, ruler.width(total_text(values, chart_), font));
      longest = std::max(longest, length_of(values));
    }
  }
  max_ = longest > 0 ? longest : 1;
  left_ = std::min(label_width, kMaxLabelWidth) + kLabelGap;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < shown_; ++i) labels.push_back(chart_.groups[i].label);
  labels_ = row_labels(labels, font, left_ - kLabelGap, ruler);
  right_ = room_.width - total_width - kTotalGap;
  points_per_page_ = (right_ - left_) / max_;
}

std::size_t BarChartPainter::sheets() const {
  return shown_ == 0 ? 1 : (shown_ + per_sheet_ - 1) / per_sheet_;
}

BarChartPainter::Plot BarChartPainter::plot(std::size_t sheet) const {
  Plot plot;
  plot.first = sheet * per_sheet_;
  plot.end = std::min(plot.first + per_sheet_, shown_);
  plot.top = heading_.height() + kAxisHeight;
  plot.bottom = plot.top + static_cast<double>(plot.end - plot.first) * group_pitch_;
  return plot;
}

double BarChartPainter::height(std::size_t sheet) const {
  if (shown_ == 0) return heading_.height() + kAxisHeight + kNoteHeight;
  return plot(sheet).bottom + kAxisHeight + (left_out_.empty() ? 0 : kNoteHeight);
}

void BarChartPainter::draw(Canvas& canvas, std::size_t sheet) const {
  heading_.draw(canvas, {0, 0});
  const Plot plot = this->plot(sheet);
  if (shown_ == 0) return canvas.text({0, plot.top}, "nothing to show", kNoteFont, kQuietInk);
  // One grid: of the axis whose unit the numbers at the bars have.
  const bool has_pages = chart_.unit == SizeUnit::kPages;
  if (has_pages) draw_page_axis(canvas, plot);
  draw_byte_axis(canvas, plot, has_pages ? plot.top : plot.bottom);
  const double gap = kGroupGap * bar_height_ / kBarHeight;
  for (std::size_t i = plot.first; i < plot.end; ++i)
    draw_group(canvas, i, plot.top + static_cast<double>(i - plot.first) * group_pitch_ + gap / 2);
  canvas.line({left_, plot.top}, {left_, plot.bottom}, kAxisLine, 0.7);
  if (!left_out_.empty())
    canvas.text({0, plot.bottom + kAxisHeight + kNoteFont.size}, left_out_, kNoteFont, kQuietInk);
}

void BarChartPainter::draw_page_axis(Canvas& canvas, const Plot& plot) const {
  const double widest = canvas.width(tick_text(max_), kAxisFont) + kTickDistance;
  const double step =
      std::max(1.0, nice_step(max_, static_cast<std::size_t>((right_ - left_) / widest)));
  const double base = plot.bottom + kAxisFont.size + 3;
  for (double n = 0; n * step <= max_ * (1 + 1e-9); ++n) {
    const double x = x_of(n * step);
    canvas.line({x, plot.top}, {x, plot.bottom + 3}, kGridLine, 0.6);
    canvas.text({x, base}, tick_text(n * step), kAxisFont, kQuietInk, Align::kCentre);
  }
  canvas.line({left_, plot.bottom}, {right_, plot.bottom}, kAxisLine, 0.7);
  canvas.text({left_ - kLabelGap, base}, values_name(chart_), kAxisFont, kQuietInk, Align::kRight);
}

void BarChartPainter::draw_byte_axis(Canvas& canvas, const Plot& plot, double end) const {
  const double bytes = max_ * static_cast<double>(chart_.page_size);
  if (!(bytes > 0)) return;
  const ByteUnit unit = byte_unit(bytes);
  const double max = bytes / unit.bytes;
  const double widest =
      std::max(canvas.width(tick_text(std::floor(max)), kAxisFont), 16.0) + kTickDistance;
  const double step = nice_step(max, static_cast<std::size_t>((right_ - left_) / widest));
  const double base = plot.top - 5;
  for (double n = 0; n * step <= max * (1 + 1e-9); ++n) {
    const double x = left_ + n * step / max * (right_ - left_);
    if (end > plot.top) canvas.line({x, plot.top}, {x, end}, kGridLine, 0.6);
    canvas.line({x, plot.top - 3}, {x, plot.top}, kAxisLine, 0.6);
    canvas.text({x, base}, tick_text(n * step), kAxisFont, kQuietInk, Align::kCentre);
  }
  canvas.line({left_, plot.top}, {right_, plot.top}, kAxisLine, 0.7);
  canvas.text({left_ - kLabelGap, base}, unit.name, kAxisFont, kQuietInk, Align::kRight);
}

void BarChartPainter::draw_group(Canvas& canvas, std::size_t index, double y) const {
  const BarChart::Group& group = chart_.groups[index];
  const Font font = label_font(bar_height_);
  const double pitch = bar_height_ * (1 + kBarGap / kBarHeight);
  const double middle = y + (static_cast<double>(bars_) * pitch - (pitch - bar_height_)) / 2;
  canvas.text({left_ - kLabelGap, middle + font.size * 0.36}, labels_[index], font, kInk,
              Align::kRight);
  for (std::size_t bar = 0; bar < group.bars.size(); ++bar)
    draw_bar(canvas, group, bar, y + static_cast<double>(bar) * pitch);
}

/// "/usr/bin/gdb, .text, virtual: 12 pages (48 KiB)".
std::string BarChartPainter::tooltip(const BarChart::Group& group, std::size_t bar,
                                     std::size_t series) const {
  const std::uint64_t pages = group.bars[bar][series];
  const std::string kind = bars_ > 1 ? ", " + name_at(chart_.bar_titles, bar) : "";
  return fmt::format("{}, {}{}: {} ({})", group.label, name_at(chart_.series, series), kind,
                     value_text(chart_, pages), human_size(pages, PageSize{chart_.page_size}));
}

void BarChartPainter::draw_bar(Canvas& canvas, const BarChart::Group& group, std::size_t bar,
                               double y) const {
  constexpr double kSeparator = 0.45;
  // A separator or an outline would hide a narrower segment.
  constexpr double kNarrowest = 2.2;
  const std::vector<std::uint64_t>& values = group.bars[bar];
  double pages = 0;
  for (std::size_t series = 0; series < values.size(); ++series) {
    if (values[series] == 0) continue;
    const Tooltip tooltip(canvas, this->tooltip(group, bar, series));
    const double x = x_of(pages);
    pages += static_cast<double>(values[series]);
    const Rect segment{x, y, x_of(pages) - x, bar_height_};
    const bool wide = segment.width >= kNarrowest;
    canvas.fill(segment, bar_colour(chart_, series, bar));
    if (wide && bar > 0) canvas.outline({segment}, colour_of(chart_, series), 0.6);
    if (wide) canvas.line({x_of(pages), y}, {x_of(pages), y + bar_height_}, kPaper, kSeparator);
  }
  const Font font = label_font(bar_height_);
  const std::string total = total_text(values, chart_);
  const Point at{x_of(pages) + kTotalGap, y + bar_height_ / 2 + font.size * 0.36};
  canvas.fill(Rect{at.x - 1.5, y, canvas.width(total, font) + 3, bar_height_},
              kPaper);  // no grid line through it
  canvas.text(at, total, font, bar == 0 ? kInk : kQuietInk);
}

}  // namespace physmem
