// SPDX-License-Identifier: MIT
#include "analyzer/report/canvas.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "system/printable.h"

namespace physmem {
namespace {

/// Glyph positions of one picture must not depend on the surface or on the machine's settings for screens.
void use_plain_font_options(cairo_t* cairo) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
}

/// The first `count` characters of valid UTF-8.
std::string_view head(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count)
    end += std::max<std::size_t>(utf8_length(text.substr(end)), 1);
  return text.substr(0, end);
}

std::string shortened(std::string_view text, std::size_t kept) {
  const std::size_t tail = kept / 2;
  const std::size_t before_tail = head(text, code_points(text) - tail).size();
  return std::string(head(text, kept - tail)) + "…" + std::string(text.substr(before_tail));
}

}  // namespace

Canvas::Canvas(cairo_surface_t* surface) : cairo_(cairo_create(surface)) {
  use_plain_font_options(cairo_.get());
}

Canvas Canvas::ruler() {
  cairo_surface_t* nowhere = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  Canvas canvas(nowhere);
  cairo_surface_destroy(nowhere);  // the canvas holds its own reference
  return canvas;
}

void Canvas::paint(Colour colour) {
  use(colour);
  cairo_paint(cairo_.get());
}

void Canvas::fill(const std::vector<Rect>& rects, Colour colour) {
  if (rects.empty()) return;
  use(colour);
  for (const Rect& rect : rects) cairo_rectangle(cairo_.get(), rect.x, rect.y, rect.width, rect.height);
  cairo_fill(cairo_.get());
}

void Canvas::outline(const std::vector<Rect>& rects, Colour colour, double line_width) {
  if (rects.empty()) return;
  use(colour);
  cairo_set_line_width(cairo_.get(), line_width);
  const double inset = line_width / 2;  // the line stays inside the rectangle
  for (const Rect& rect : rects)
    cairo_rectangle(cairo_.get(), rect.x + inset, rect.y + inset, rect.width - line_width,
                    rect.height - line_width);
  cairo_stroke(cairo_.get());
}

void Canvas::line(Point from, Point to, Colour colour, double line_width) {
  use(colour);
  cairo_set_line_width(cairo_.get(), line_width);
  cairo_move_to(cairo_.get(), from.x, from.y);
  cairo_line_to(cairo_.get(), to.x, to.y);
  cairo_stroke(cairo_.get());
}

void Canvas::use(Dash dash, double line_width) {
  const std::array<double, 2> dashes =
      dash == Dash::kDashed ? std::array{4 * line_width, 3 * line_width} : std::array{0.01, 2.4 * line_width};
  cairo_set_dash(cairo_.get(), dashes.data(), dash == Dash::kSolid ? 0 : 2, 0);
}

void Canvas::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.empty()) return;
  cairo_save(cairo_.get());
  use(stroke.colour);
  use(stroke.dash, stroke.width);
  cairo_set_line_width(cairo_.get(), stroke.width);
  cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
  // Dots of a dotted line are round caps too; dashes keep their length.
  cairo_set_line_cap(cairo_.get(), stroke.dash == Dash::kDashed && points.size() > 1 ? CAIRO_LINE_CAP_BUTT
                                                                                     : CAIRO_LINE_CAP_ROUND);
  cairo_move_to(cairo_.get(), points.front().x, points.front().y);
  for (const Point& point : points) cairo_line_to(cairo_.get(), point.x, point.y);
  cairo_stroke(cairo_.get());
  cairo_restore(cairo_.get());
}

void Canvas::add_to_path(MarkShape shape, Point centre, double half) {
  const auto [x, y] = centre;
  switch (shape) {
    case MarkShape::kCircle:
      cairo_new_sub_path(cairo_.get());
      cairo_arc(cairo_.get(), x, y, half, 0, 2 * std::numbers::pi);
      break;
    case MarkShape::kSquare:
      cairo_rectangle(cairo_.get(), x - half * 0.89, y - half * 0.89, half * 1.78, half * 1.78);
      return;
    case MarkShape::kTriangle:
      cairo_move_to(cairo_.get(), x, y - half * 1.2);
      cairo_line_to(cairo_.get(), x + half * 1.1, y + half * 0.8);
      cairo_line_to(cairo_.get(), x - half * 1.1, y + half * 0.8);
      break;
    case MarkShape::kDiamond:
      cairo_move_to(cairo_.get(), x, y - half * 1.25);
      cairo_line_to(cairo_.get(), x + half * 1.25, y);
      cairo_line_to(cairo_.get(), x, y + half * 1.25);
      cairo_line_to(cairo_.get(), x - half * 1.25, y);
      break;
    case MarkShape::kNabla:
      cairo_move_to(cairo_.get(), x, y + half * 1.2);
      cairo_line_to(cairo_.get(), x + half * 1.1, y - half * 0.8);
      cairo_line_to(cairo_.get(), x - half * 1.1, y - half * 0.8);
      break;
  }
  cairo_close_path(cairo_.get());
}

void Canvas::marks(MarkShape shape, const std::vector<Point>& centres, double size, Colour colour) {
  if (centres.empty()) return;
  constexpr double kEdge = 0.6;
  for (const Point& centre : centres) add_to_path(shape, centre, size / 2 + kEdge);
  use(kPaper);
  cairo_fill(cairo_.get());
  for (const Point& centre : centres) add_to_path(shape, centre, size / 2);
  use(colour);
  cairo_fill(cairo_.get());
}

void Canvas::use(const Font& font) {
  cairo_select_font_face(cairo_.get(), font.monospace ? "monospace" : "sans-serif",
                         font.italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                         font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_.get(), font.size);
}

double Canvas::printable_width(const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_.get(), text.c_str(), &extents);
  return extents.x_advance;
}

double Canvas::width(std::string_view text, const Font& font) {
  use(font);
  return printable_width(for_picture(text));
}

void Canvas::text(Point at, std::string_view text, const Font& font, Colour colour, Align align) {
  const std::string shown = for_picture(text);
  use(font);
  use(colour);
  const double width = align == Align::kLeft ? 0 : printable_width(shown);
  cairo_move_to(cairo_.get(), at.x - (align == Align::kCentre ? width / 2 : width), at.y);
  cairo_show_text(cairo_.get(), shown.c_str());
  cairo_new_path(cairo_.get());  // cairo leaves a point behind the text, which would start the next shape
}

void Canvas::character(char which, const std::vector<Point>& centres, const Font& font, Colour colour) {
  if (centres.empty()) return;
  use(font);
  use(colour);
  const std::string text(1, which);
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_.get(), text.c_str(), &extents);
  cairo_glyph_t* glyph = nullptr;
  int count = 0;
  const cairo_status_t status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(cairo_.get()), 0, 0, text.c_str(), 1, &glyph, &count, nullptr, nullptr, nullptr);
  if (status != CAIRO_STATUS_SUCCESS || count != 1) return;
  const double to_left = extents.x_bearing + extents.width / 2;
  const double to_base = extents.y_bearing + extents.height / 2;
  std::vector<cairo_glyph_t> glyphs;
  glyphs.reserve(centres.size());
  for (const Point& centre : centres)
    glyphs.push_back({glyph->index, centre.x - to_left, centre.y - to_base});
  cairo_glyph_free(glyph);
  cairo_show_glyphs(cairo_.get(), glyphs.data(), static_cast<int>(glyphs.size()));
}

std::string Canvas::fitted(std::string_view text, const Font& font, double room) {
  std::string shown = for_picture(text);
  use(font);
  if (printable_width(shown) <= room) return shown;
  std::size_t fits = 0;  // characters kept beside the "…"
  std::size_t too_many = code_points(shown);
  while (fits + 1 < too_many) {
    const std::size_t middle = (fits + too_many) / 2;
    (printable_width(shortened(shown, middle)) <= room ? fits : too_many) = middle;
  }
  return shortened(shown, fits);
}

std::string Canvas::error() const {
  const cairo_status_t status = cairo_status(cairo_.get());
  return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
}

}  // namespace physmem
