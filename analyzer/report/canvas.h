// SPDX-License-Identifier: MIT
// The few strokes our pictures are made of. Lengths are in points (1/72 inch), y grows downwards.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/palette.h"

namespace physmem {

struct Font {
  double size = 9;
  bool bold = false;
  bool italic = false;
  bool monospace = false;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct Point {
  double x = 0;
  double y = 0;
};

enum class Align { kLeft, kCentre, kRight };

enum class Dash { kSolid, kDashed, kDotted };

struct Stroke {
  Colour colour;
  double width = 1;
  Dash dash = Dash::kSolid;
};

/// Shapes that differ without colour.
enum class MarkShape { kCircle, kSquare, kTriangle, kDiamond, kNabla };

/// Draws on a cairo surface. Texts may hold any bytes; what is no UTF-8 or moves a cursor is shown, not
/// obeyed.
class Canvas {
 public:
  explicit Canvas(cairo_surface_t* surface);
  /// Draws nowhere: for measuring before there is a page.
  static Canvas ruler();

  void move_origin(double x, double y) { cairo_translate(cairo_.get(), x, y); }
  void scale(double factor) { cairo_scale(cairo_.get(), factor, factor); }
  void paint(Colour colour);
  void fill(const Rect& rect, Colour colour) { fill(std::vector<Rect>{rect}, colour); }
  void fill(const std::vector<Rect>& rects, Colour colour);
  void outline(const std::vector<Rect>& rects, Colour colour, double line_width);
  void line(Point from, Point to, Colour colour, double line_width);
  /// One line through all points; a single point becomes a dot.
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  /// Filled shapes `size` wide, with a thin edge of paper so that they stand out from the line they are on.
  void marks(MarkShape shape, const std::vector<Point>& centres, double size, Colour colour);

  /// `at` is on the base line, at the text's left end, centre or right end.
  void text(Point at, std::string_view text, const Font& font, Colour colour, Align align = Align::kLeft);
  /// The same ASCII character centred on many points: one operation in the file, however many there are.
  void character(char which, const std::vector<Point>& centres, const Font& font, Colour colour);

  double width(std::string_view text, const Font& font);
  /// The text, its middle replaced by "…" where it is wider than `room`: both ends of a path tell something.
  std::string fitted(std::string_view text, const Font& font, double room);

  std::string error() const;

 private:
  struct Destroy {
    void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
  };

  void use(const Font& font);
  void use(Colour colour) { cairo_set_source_rgb(cairo_.get(), colour.red, colour.green, colour.blue); }
  void use(Dash dash, double line_width);
  void add_to_path(MarkShape shape, Point centre, double half);
  double printable_width(const std::string& text);

  std::unique_ptr<cairo_t, Destroy> cairo_;
};

}  // namespace physmem
