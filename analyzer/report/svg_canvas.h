// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/cairo_canvas.h"
#include "analyzer/report/canvas.h"

namespace physmem {

/// Writes SVG with text elements, which can be searched and read aloud, and for which a browser
/// finds fonts for all scripts. cairo's SVG contains glyph outlines instead. Tooltips are `title`
/// elements.
class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height, const std::string& title);

  void move_origin(double x, double y) override;
  void paint(Colour colour) override;
  using Canvas::fill;
  void fill(const std::vector<Rect>& rects, Colour colour) override;
  void outline(const std::vector<Rect>& rects, Colour colour, double line_width) override;
  void line(Point from, Point to, Colour colour, double line_width) override;
  void polyline(const std::vector<Point>& points, const Stroke& stroke) override;
  void marks(MarkShape shape, const std::vector<Point>& centres, double size,
             Colour colour) override;
  void text(Point at, std::string_view text, const Font& font, Colour colour, Align align) override;
  void character(char which, const std::vector<Point>& centres, const Font& font,
                 Colour colour) override;
  void begin_tooltip(const std::string& text) override;
  void end_tooltip() override;
  double width(std::string_view text, const Font& font) override {
    return ruler_.width(text, font);
  }
  std::string error() const override { return ruler_.error(); }

  /// Returns the whole picture.
  std::string finish();

 private:
  std::string at(Point point) const;
  std::string path_of(const Rect& rect) const;
  std::string path_of(MarkShape shape, Point centre, double half) const;
  std::string path_of(const std::vector<Point>& points) const;

  CairoCanvas ruler_ = CairoCanvas::ruler(CairoCanvas::Missing::kViewerHas);
  double width_;
  double height_;
  Point origin_;
  std::string svg_;
};

}  // namespace physmem
