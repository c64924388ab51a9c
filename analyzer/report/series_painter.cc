// SPDX-License-Identifier: MIT
#include "analyzer/report/series_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

constexpr double kPanelTitle = 17;  // above a plot
constexpr double kLegendGap = 24;   // from a title to the legend of its panel
constexpr double kPanelGap = 8;
constexpr double kRibbonSpace = SeriesMarks::kRibbon + 4;
constexpr double kNoteLine = 13;
constexpr double kMinPanel = 96;  // height of a plot
constexpr double kMaxPanel = 330;
constexpr std::size_t kMaxNotesBelow = 8;  // lines; more get a sheet of their own

/// Height of the plots in a picture; fewer plots are taller.
double picture_panel_height(std::size_t panels) {
  return panels <= 1 ? 300 : panels == 2 ? 190 : 145;
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

}  // namespace

SeriesPainter::SeriesPainter(const Series& series, const Room& room, Canvas& ruler)
    : room_(room),
      has_bands_(!series.bands.empty()),
      legend_(series),
      axes_(series, room.width, picture_panel_height(series.panels.size()), ruler),
      panel_legends_(panel_legends(series, ruler)),
      heading_(series.title, series.subtitle, legend_.items(series, have_legends()), room.width,
               ruler),
      marks_(series, axes_, legend_) {
  break_notes(series, ruler);
  place_panels();
  place_notes();
}

/// If there are several panels, each has its own, unless it does not fit next to its title.
std::vector<std::optional<SeriesPainter::PanelLegend>> SeriesPainter::panel_legends(
    const Series& series, Canvas& ruler) const {
  std::vector<std::optional<PanelLegend>> legends(series.panels.size());
  if (series.panels.size() < 2) return legends;
  for (std::size_t i = 0; i < series.panels.size(); ++i) {
    const double x = axes_.title_width(i, ruler) + kLegendGap;
    const double room = axes_.plot(0, 0).width - x;
    const std::vector<LegendItem> items = legend_.items_of(series.panels[i]);
    if (room <= 0 || items.empty()) continue;
    PanelLegend legend{Heading("", "", items, room, ruler), x};
    if (legend.items.has_one_line()) legends[i] = std::move(legend);
  }
  return legends;
}

std::vector<bool> SeriesPainter::have_legends() const {
  std::vector<bool> have;
  for (const auto& legend : panel_legends_) have.push_back(legend.has_value());
  return have;
}

void SeriesPainter::break_notes(const Series& series, Canvas& ruler) {
  for (const std::string& note : series.notes)
    for (std::string& line : lines_of(note, kNoteFont, room_.width, ruler))
      notes_.push_back(std::move(line));
  const std::size_t omitted = axes_.below_logarithm();
  if (omitted > 0)
    notes_.push_back(
        fmt::format("not drawn, because a logarithmic axis ends above 0: {} of 0 or less",
                    counted(omitted, "value")));
}

void SeriesPainter::place_panels() {
  const double top = heading_.height() + (has_bands_ ? kRibbonSpace : 0);
  const double pitch_extra = kPanelTitle + kPanelGap;
  const double room = room_.height - top - SeriesAxes::kHeight;
  std::size_t per_sheet = std::max<std::size_t>(axes_.panels(), 1);
  if (!room_.is_one_picture())
    per_sheet = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::max(room, 0.0) / (kMinPanel + pitch_extra)), 1, per_sheet);
  // Fills sheets evenly: 4 and 3 panels rather than 6 and 1.
  const std::size_t count = std::max<std::size_t>((axes_.panels() + per_sheet - 1) / per_sheet, 1);
  per_sheet = (axes_.panels() + count - 1) / count;
  for (std::size_t first = 0; sheets_.empty() || first < axes_.panels(); first += per_sheet) {
    Sheet sheet;
    sheet.first_panel = first;
    sheet.end_panel = std::min(first + per_sheet, axes_.panels());
    const double panels = static_cast<double>(per_sheet);
    sheet.panel_height = room_.is_one_picture()
                             ? picture_panel_height(axes_.panels())
                             : std::clamp(room / panels - pitch_extra, 40.0, kMaxPanel);
    sheet.height = axes_.panels() == 0
                       ? heading_.height() + 2 * kNoteLine
                       : top + SeriesAxes::kHeight +
                             static_cast<double>(sheet.end_panel - sheet.first_panel) *
                                 (sheet.panel_height + pitch_extra);
    sheets_.push_back(sheet);
    if (axes_.panels() == 0) break;
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
    sheet.first_panel = sheet.end_panel = axes_.panels();
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
    if (has_bands_) {
      marks_.draw_ribbon(canvas, axes_, y + 4);
      y += kRibbonSpace;
    }
    for (std::size_t i = sheet.first_panel; i < sheet.end_panel; ++i) {
      draw_panel(canvas, i, axes_.plot(y + kPanelTitle, sheet.panel_height));
      y += kPanelTitle + sheet.panel_height + kPanelGap;
    }
    axes_.draw_x(canvas, y - kPanelGap);
    y += SeriesAxes::kHeight;
  } else if (axes_.panels() == 0) {
    canvas.text({0, y + kNoteFont.size + 3}, "nothing to show", kNoteFont, kQuietInk);
    y += 2 * kNoteLine;
  }
  for (std::size_t i = sheet.first_note; i < sheet.end_note; ++i) {
    y += kNoteLine;
    canvas.text({0, y}, notes_[i], kNoteFont, kQuietInk);
  }
}

void SeriesPainter::draw_panel(Canvas& canvas, std::size_t panel, const Rect& plot) const {
  axes_.draw_title(canvas, panel, plot);
  if (const auto& legend = panel_legends_[panel])
    legend->items.draw(canvas, {plot.x + legend->x, plot.y - kPanelTitle});
  marks_.draw_bands(canvas, axes_, plot);
  axes_.draw_panel(canvas, panel, plot);
  marks_.draw_lines(canvas, axes_, panel, plot);
  if (axes_.is_empty(panel))
    canvas.text({plot.x + plot.width / 2, plot.y + plot.height / 2}, "nothing to show", kNoteFont,
                kQuietInk, Align::kCentre);
}

}  // namespace physmem
