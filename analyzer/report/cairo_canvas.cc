// SPDX-License-Identifier: MIT
#include "analyzer/report/cairo_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "program/printable.h"

namespace physmem {
namespace {

constexpr const char* kOneEm = "\u2014";  // the em dash

/// Glyph positions must not depend on the surface or on the machine's screen settings.
void use_plain_font_options(cairo_t* cairo) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
}

}  // namespace

CairoCanvas::CairoCanvas(cairo_surface_t* surface, Missing missing)
    : cairo_(cairo_create(surface)), missing_(missing) {
  use_plain_font_options(cairo_.get());
}

CairoCanvas CairoCanvas::ruler(Missing missing) {
  cairo_surface_t* nowhere = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  CairoCanvas canvas(nowhere, missing);
  cairo_surface_destroy(nowhere);  // the canvas holds its own reference
  return canvas;
}

void CairoCanvas::paint(Colour colour) {
  use(colour);
  cairo_paint(cairo_.get());
}

void CairoCanvas::fill(const std::vector<Rect>& rects, Colour colour) {
  if (rects.empty()) return;
  use(colour);
  for (const Rect& rect : rects)
    cairo_rectangle(cairo_.get(), rect.x, rect.y, rect.width, rect.height);
  cairo_fill(cairo_.get());
}

void CairoCanvas::outline(const std::vector<Rect>& rects, Colour colour, double line_width) {
  if (rects.empty()) return;
  use(colour);
  cairo_set_line_width(cairo_.get(), line_width);
  const double inset = line_width / 2;  // the line stays inside the rectangle
  for (const Rect& rect : rects)
    cairo_rectangle(cairo_.get(), rect.x + inset, rect.y + inset, rect.width - line_width,
                    rect.height - line_width);
  cairo_stroke(cairo_.get());
}

void CairoCanvas::line(Point from, Point to, Colour colour, double line_width) {
  use(colour);
  cairo_set_line_width(cairo_.get(), line_width);
  cairo_move_to(cairo_.get(), from.x, from.y);
  cairo_line_to(cairo_.get(), to.x, to.y);
  cairo_stroke(cairo_.get());
}

void CairoCanvas::use(Dash dash, double line_width) {
  const std::array<double, 2> dashes = dash == Dash::kDashed
                                           ? std::array{4 * line_width, 3 * line_width}
                                           : std::array{0.01, 2.4 * line_width};
  cairo_set_dash(cairo_.get(), dashes.data(), dash == Dash::kSolid ? 0 : 2, 0);
}

void CairoCanvas::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.empty()) return;
  cairo_save(cairo_.get());
  use(stroke.colour);
  use(stroke.dash, stroke.width);
  cairo_set_line_width(cairo_.get(), stroke.width);
  cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
  // Dots of a dotted line are round caps too; dashes keep their length.
  cairo_set_line_cap(cairo_.get(), stroke.dash == Dash::kDashed && points.size() > 1
                                       ? CAIRO_LINE_CAP_BUTT
                                       : CAIRO_LINE_CAP_ROUND);
  cairo_move_to(cairo_.get(), points.front().x, points.front().y);
  for (const Point& point : points) cairo_line_to(cairo_.get(), point.x, point.y);
  cairo_stroke(cairo_.get());
  cairo_restore(cairo_.get());
}

void CairoCanvas::add_to_path(MarkShape shape, Point centre, double half) {
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

void CairoCanvas::marks(MarkShape shape, const std::vector<Point>& centres, double size,
                        Colour colour) {
  if (centres.empty()) return;
  constexpr double kEdge = 0.6;
  for (const Point& centre : centres) add_to_path(shape, centre, size / 2 + kEdge);
  use(kPaper);
  cairo_fill(cairo_.get());
  for (const Point& centre : centres) add_to_path(shape, centre, size / 2);
  use(colour);
  cairo_fill(cairo_.get());
}

void CairoCanvas::use(const Font& font) {
  cairo_select_font_face(cairo_.get(), font.monospace ? "monospace" : "sans-serif",
                         font.italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                         font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_.get(), font.size);
}

/// Glyph 0 of a font represents a missing character.
bool CairoCanvas::has_glyph(std::string_view character) {
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  const cairo_status_t status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(cairo_.get()), 0, 0, character.data(),
      static_cast<int>(character.size()), &glyphs, &count, nullptr, nullptr, nullptr);
  const bool found = status == CAIRO_STATUS_SUCCESS && count > 0 && glyphs[0].index != 0;
  cairo_glyph_free(glyphs);
  return found;
}

std::vector<CairoCanvas::Piece> CairoCanvas::pieces_of(std::string_view text, const Font& font) {
  use(font);
  std::vector<Piece> pieces;
  const std::string shown = for_picture(text);
  for (std::string_view rest = shown; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8_length(rest));
    const bool is_plain = character.size() == 1 || has_glyph(character);
    cairo_font_face_t* const face =
        is_plain ? nullptr : fallbacks_.face_of(code_point(character), font.bold);
    if (pieces.empty() || pieces.back().face != face) pieces.push_back({"", face});
    const bool is_missing = !is_plain && face == nullptr;
    if (!is_missing)
      pieces.back().text += character;
    else if (missing_ == Missing::kViewerHas)
      pieces.back().text += kOneEm;
    else
      pieces.back().text +=
          fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code_point(character)));
    rest.remove_prefix(character.size());
  }
  return pieces;
}

void CairoCanvas::use(const Piece& piece, const Font& font) {
  if (piece.face == nullptr) return use(font);
  cairo_set_font_face(cairo_.get(), piece.face);
  cairo_set_font_size(cairo_.get(), font.size);
}

double CairoCanvas::advance_of(const std::vector<Piece>& pieces, const Font& font) {
  double advance = 0;
  for (const Piece& piece : pieces) {
    use(piece, font);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_.get(), piece.text.c_str(), &extents);
    advance += extents.x_advance;
  }
  return advance;
}

double CairoCanvas::width(std::string_view text, const Font& font) {
  return advance_of(pieces_of(text, font), font);
}

void CairoCanvas::text(Point at, std::string_view text, const Font& font, Colour colour,
                       Align align) {
  const std::vector<Piece> pieces = pieces_of(text, font);
  use(colour);
  const double width = align == Align::kLeft ? 0 : advance_of(pieces, font);
  cairo_move_to(cairo_.get(), at.x - (align == Align::kCentre ? width / 2 : width), at.y);
  for (const Piece& piece : pieces) {
    use(piece, font);
    cairo_show_text(cairo_.get(), piece.text.c_str());
  }
  cairo_new_path(cairo_.get());  // text leaves a current point, which would start the next path
}

Point CairoCanvas::middle_of(char which, const Font& font) {
  use(font);
  const std::string text(1, which);
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_.get(), text.c_str(), &extents);
  return {extents.x_bearing + extents.width / 2, extents.y_bearing + extents.height / 2};
}

void CairoCanvas::character(char which, const std::vector<Point>& centres, const Font& font,
                            Colour colour) {
  if (centres.empty()) return;
  use(font);
  use(colour);
  const std::string text(1, which);
  const Point middle = middle_of(which, font);
  cairo_glyph_t* glyph = nullptr;
  int count = 0;
  const cairo_status_t status =
      cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cairo_.get()), 0, 0, text.c_str(), 1,
                                       &glyph, &count, nullptr, nullptr, nullptr);
  if (status != CAIRO_STATUS_SUCCESS || count != 1) return;
  std::vector<cairo_glyph_t> glyphs;
  glyphs.reserve(centres.size());
  for (const Point& centre : centres)
    glyphs.push_back({glyph->index, centre.x - middle.x, centre.y - middle.y});
  cairo_glyph_free(glyph);
  cairo_show_glyphs(cairo_.get(), glyphs.data(), static_cast<int>(glyphs.size()));
}

std::string CairoCanvas::error() const {
  const cairo_status_t status = cairo_status(cairo_.get());
  return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
}

}  // namespace physmem
