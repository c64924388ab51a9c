// SPDX-License-Identifier: MIT
#pragma once

#include <cairo.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/canvas.h"
#include "analyzer/report/fallback_font.h"
#include "program/deleter.h"

namespace physmem {

/// Draws on a cairo surface.
class CairoCanvas : public Canvas {
 public:
  /// How to draw a character that is missing from all fonts of this machine.
  enum class Missing {
    kEscaped,    ///< \u65e5, as in JSON
    kViewerHas,  ///< measured as one em; the viewer of the picture may have a font for it
  };

  explicit CairoCanvas(cairo_surface_t* surface, Missing missing = Missing::kEscaped);
  /// A canvas without output, for measuring before a page exists.
  static CairoCanvas ruler(Missing missing = Missing::kEscaped);

  void scale(double factor) { cairo_scale(cairo_.get(), factor, factor); }
  void move_origin(double x, double y) override { cairo_translate(cairo_.get(), x, y); }
  void paint(Colour colour) override;
  using Canvas::fill;
  void fill(const std::vector<Rect>& rects, Colour colour) override;
  void outline(const std::vector<Rect>& rects, Colour colour, double line_width) override;
  void line(Point from, Point to, Colour colour, double line_width) override;
  void polyline(const std::vector<Point>& points, const Stroke& stroke) override;
  void marks(MarkShape shape, const std::vector<Point>& centres, double size,
             Colour colour) override;
  void text(Point at, std::string_view text, const Font& font, Colour colour, Align align) override;
  /// One operation in the file for all characters.
  void character(char which, const std::vector<Point>& centres, const Font& font,
                 Colour colour) override;
  double width(std::string_view text, const Font& font) override;
  std::string error() const override;

  /// Offset from a character's origin on the base line to the centre of its ink.
  Point middle_of(char which, const Font& font);

 private:
  void use(const Font& font);
  void use(Colour colour) {
    cairo_set_source_rgb(cairo_.get(), colour.red, colour.green, colour.blue);
  }
  void use(Dash dash, double line_width);
  void add_to_path(MarkShape shape, Point centre, double half);
  /// A part of a text, and the font that has its characters. Nothing: the current font.
  struct Piece {
    std::string text;
    cairo_font_face_t* face = nullptr;
  };
  std::vector<Piece> pieces_of(std::string_view text, const Font& font);
  void use(const Piece& piece, const Font& font);
  bool has_glyph(std::string_view character);
  double advance_of(const std::vector<Piece>& pieces, const Font& font);

  std::unique_ptr<cairo_t, Deleter<cairo_destroy>> cairo_;
  FallbackFonts fallbacks_;
  Missing missing_;
};

}  // namespace physmem
