// SPDX-License-Identifier: MIT
#include "analyzer/report/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

constexpr const char* kFamily = "'DejaVu Sans',Verdana,sans-serif";
constexpr const char* kMonospaceFamily = "'DejaVu Sans Mono',monospace";

/// A number with two decimals, without trailing zeros.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string hex(Colour colour) {
  const auto channel = [](double value) { return std::lround(value * 255); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(colour.red), channel(colour.green),
                     channel(colour.blue));
}

/// Escapes the text of an element. XML cannot represent U+FFFE and U+FFFF, even escaped.
std::string xml_text(std::string_view text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = rest.substr(0, std::max<std::size_t>(utf8_length(rest), 1));
    if (character == "&")
      result += "&amp;";
    else if (character == "<")
      result += "&lt;";
    else if (character == ">")
      result += "&gt;";
    else if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF")
      result += "\xEF\xBF\xBD";
    else
      result += character;
    rest.remove_prefix(character.size());
  }
  return result;
}

/// Without this attribute, several blanks are shown as one.
const char* blanks_of(std::string_view text) {
  const bool has_more =
      text.find("  ") != std::string_view::npos || text.starts_with(' ') || text.ends_with(' ');
  return has_more ? R"( xml:space="preserve")" : "";
}

std::string attributes_of(const Font& font, Colour colour) {
  std::string text = fmt::format(R"( font-size="{}" fill="{}")", number(font.size), hex(colour));
  if (font.bold) text += R"( font-weight="bold")";
  if (font.italic) text += R"( font-style="italic")";
  if (font.monospace) text += fmt::format(R"( font-family="{}")", kMonospaceFamily);
  return text;
}

std::string attributes_of(const Stroke& stroke, bool is_dot) {
  std::string text =
      fmt::format(R"( fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round")",
                  hex(stroke.colour), number(stroke.width));
  if (stroke.dash == Dash::kDashed)
    text += fmt::format(R"( stroke-dasharray="{} {}")", number(4 * stroke.width),
                        number(3 * stroke.width));
  if (stroke.dash == Dash::kDotted)
    text += fmt::format(R"( stroke-dasharray="0.01 {}")", number(2.4 * stroke.width));
  // Dots of a dotted line are round caps too; dashes keep their length.
  if (stroke.dash != Dash::kDashed || is_dot) text += R"( stroke-linecap="round")";
  return text;
}

}  // namespace

SvgCanvas::SvgCanvas(double width, double height, const std::string& title)
    : width_(width), height_(height) {
  svg_ = fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0}pt" height="{1}pt" viewBox="0 0 {0} {1}" lang="en" )"
                     R"(font-family="{2}">
<title>{3}</title>
)",
                     number(width), number(height), kFamily, xml_text(for_picture(title)));
}

void SvgCanvas::move_origin(double x, double y) {
  origin_ = {origin_.x + x, origin_.y + y};
}

std::string SvgCanvas::at(Point point) const {
  return number(origin_.x + point.x) + " " + number(origin_.y + point.y);
}

std::string SvgCanvas::path_of(const Rect& rect) const {
  return fmt::format("M{}h{}v{}h-{}z", at({rect.x, rect.y}), number(rect.width),
                     number(rect.height), number(rect.width));
}

std::string SvgCanvas::path_of(const std::vector<Point>& points) const {
  std::string path = "M";
  for (const Point& point : points) path += (path.size() > 1 ? " " : "") + at(point);
  return points.size() > 1 ? path : path + "h0";
}

/// The shapes are the same as in CairoCanvas.
std::string SvgCanvas::path_of(MarkShape shape, Point centre, double half) const {
  const auto [x, y] = centre;
  switch (shape) {
    case MarkShape::kCircle:
      return fmt::format("M{0}a{1} {1} 0 1 0 {2} 0a{1} {1} 0 1 0 -{2} 0z", at({x - half, y}),
                         number(half), number(2 * half));
    case MarkShape::kSquare:
      return path_of(Rect{x - half * 0.89, y - half * 0.89, half * 1.78, half * 1.78});
    case MarkShape::kTriangle:
      return path_of({{x, y - half * 1.2},
                      {x + half * 1.1, y + half * 0.8},
                      {x - half * 1.1, y + half * 0.8}}) +
             "z";
    case MarkShape::kDiamond:
      return path_of({{x, y - half * 1.25},
                      {x + half * 1.25, y},
                      {x, y + half * 1.25},
                      {x - half * 1.25, y}}) +
             "z";
    case MarkShape::kNabla:
      return path_of({{x, y + half * 1.2},
                      {x + half * 1.1, y - half * 0.8},
                      {x - half * 1.1, y - half * 0.8}}) +
             "z";
  }
  return "";
}

void SvgCanvas::paint(Colour colour) {
  svg_ += fmt::format("<path d=\"M0 0h{}v{}H0z\" fill=\"{}\"/>\n", number(width_), number(height_),
                      hex(colour));
}

void SvgCanvas::fill(const std::vector<Rect>& rects, Colour colour) {
  if (rects.empty()) return;
  svg_ += "<path d=\"";
  for (const Rect& rect : rects) svg_ += path_of(rect);
  svg_ += fmt::format("\" fill=\"{}\"/>\n", hex(colour));
}

void SvgCanvas::outline(const std::vector<Rect>& rects, Colour colour, double line_width) {
  if (rects.empty()) return;
  const double inset = line_width / 2;
  svg_ += "<path d=\"";
  for (const Rect& rect : rects)
    svg_ += path_of(Rect{rect.x + inset, rect.y + inset, std::max(rect.width - line_width, 0.0),
                         std::max(rect.height - line_width, 0.0)});
  svg_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", hex(colour),
                      number(line_width));
}

void SvgCanvas::line(Point from, Point to, Colour colour, double line_width) {
  svg_ += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", path_of({from, to}),
                      hex(colour), number(line_width));
}

void SvgCanvas::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.empty()) return;
  svg_ += fmt::format("<path d=\"{}\"{}/>\n", path_of(points),
                      attributes_of(stroke, points.size() == 1));
}

void SvgCanvas::marks(MarkShape shape, const std::vector<Point>& centres, double size,
                      Colour colour) {
  if (centres.empty()) return;
  svg_ += "<path d=\"";
  for (const Point& centre : centres) svg_ += path_of(shape, centre, size / 2);
  svg_ +=
      fmt::format("\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\" paint-order=\"stroke\"/>\n",
                  hex(colour), hex(kPaper));
}

void SvgCanvas::text(Point at, std::string_view text, const Font& font, Colour colour,
                     Align align) {
  if (text.empty()) return;
  const char* const anchor = align == Align::kRight    ? R"( text-anchor="end")"
                             : align == Align::kCentre ? R"( text-anchor="middle")"
                                                       : "";
  const std::string shown = for_picture(text);
  svg_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}{}>{}</text>\n", number(origin_.x + at.x),
                      number(origin_.y + at.y), attributes_of(font, colour), anchor,
                      blanks_of(shown), xml_text(shown));
}

void SvgCanvas::character(char which, const std::vector<Point>& centres, const Font& font,
                          Colour colour) {
  if (centres.empty()) return;
  const double to_base = -ruler_.middle_of(which, font).y;
  const std::string text = xml_text({&which, 1});
  svg_ += fmt::format("<g text-anchor=\"middle\"{}>", attributes_of(font, colour));
  for (const Point& centre : centres)
    svg_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", number(origin_.x + centre.x),
                        number(origin_.y + centre.y + to_base), text);
  svg_ += "</g>\n";
}

void SvgCanvas::begin_tooltip(const std::string& text) {
  svg_ += fmt::format("<g><title>{}</title>", xml_text(for_picture(text)));
}

void SvgCanvas::end_tooltip() {
  svg_ += "</g>\n";
}

std::string SvgCanvas::finish() {
  svg_ += "</svg>\n";
  return std::move(svg_);
}

}  // namespace physmem
