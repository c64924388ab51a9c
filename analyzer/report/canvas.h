// SPDX-License-Identifier: MIT
// The drawing operations of pictures. Lengths are in points (1/72 inch), y grows downwards.
#pragma once

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

/// Shapes that can be distinguished without colour.
enum class MarkShape { kCircle, kSquare, kTriangle, kDiamond, kNabla };

/// The surface that painters draw on. Texts may contain any bytes; invalid UTF-8 and control
/// characters are drawn escaped.
class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas(Canvas&&) = default;
  Canvas& operator=(const Canvas&) = delete;
  Canvas& operator=(Canvas&&) = default;
  virtual ~Canvas() = default;

  virtual void move_origin(double x, double y) = 0;
  /// Fills the whole picture.
  virtual void paint(Colour colour) = 0;
  void fill(const Rect& rect, Colour colour) { fill(std::vector<Rect>{rect}, colour); }
  virtual void fill(const std::vector<Rect>& rects, Colour colour) = 0;
  /// The line stays inside the rectangles.
  virtual void outline(const std::vector<Rect>& rects, Colour colour, double line_width) = 0;
  virtual void line(Point from, Point to, Colour colour, double line_width) = 0;
  /// One line through all points; a single point becomes a dot.
  virtual void polyline(const std::vector<Point>& points, const Stroke& stroke) = 0;
  /// Filled shapes of width `size`, with a thin edge in the paper's colour to separate them from
  /// their line.
  virtual void marks(MarkShape shape, const std::vector<Point>& centres, double size,
                     Colour colour) = 0;

  /// `at` is on the base line, at the text's left end, centre or right end.
  virtual void text(Point at, std::string_view text, const Font& font, Colour colour,
                    Align align = Align::kLeft) = 0;
  /// The same ASCII character centred on many points.
  virtual void character(char which, const std::vector<Point>& centres, const Font& font,
                         Colour colour) = 0;

  /// Attaches this tooltip to everything drawn until end_tooltip(), in formats that have tooltips.
  virtual void begin_tooltip(const std::string& /*text*/) {}
  virtual void end_tooltip() {}

  virtual double width(std::string_view text, const Font& font) = 0;
  /// The text, with its middle replaced by "…" if it is wider than `room`. Both ends of a path are
  /// informative.
  std::string fitted(std::string_view text, const Font& font, double room);

  /// Empty, or the error.
  virtual std::string error() const = 0;
};

/// A tooltip for everything drawn while the object exists.
class Tooltip {
 public:
  Tooltip(Canvas& canvas, const std::string& text) : canvas_(canvas) {
    canvas_.begin_tooltip(text);
  }
  ~Tooltip() { canvas_.end_tooltip(); }
  Tooltip(const Tooltip&) = delete;
  Tooltip& operator=(const Tooltip&) = delete;

 private:
  Canvas& canvas_;
};

}  // namespace physmem
