// SPDX-License-Identifier: MIT
#include "analyzer/report/heading.h"

#include <utility>

namespace physmem {
namespace {

constexpr Font kTitleFont{.size = 15, .bold = true};
constexpr Font kSubtitleFont{.size = 9};
constexpr Font kLegendFont{.size = 8.5};
constexpr Font kMarkFont{.size = 7};
constexpr double kTitleHeight = 20;
constexpr double kSubtitleHeight = 14;
constexpr double kLegendLine = 14;
constexpr double kSwatch = 9.5;
constexpr double kLineSample = 27.2;  // three dashes
constexpr double kLegendMarkSize = 5;
constexpr double kSwatchGap = 4;
constexpr double kItemGap = 15;
constexpr double kStepGap = 1;

double sample_width(const LegendItem& item) {
  return item.line ? kLineSample : kSwatch;
}

}  // namespace

Heading::Heading(const std::string& title, const std::string& subtitle,
                 std::vector<LegendItem> legend, double width, Canvas& ruler)
    : title_(ruler.fitted(title, kTitleFont, width)),
      subtitle_(ruler.fitted(subtitle, kSubtitleFont, width)) {
  Point place;
  for (LegendItem& item : legend) {
    const double sample = sample_width(item);
    item.label = ruler.fitted(item.label, kLegendFont, width - sample - kSwatchGap);
    const bool bare = item.label.empty();  // one step of a ramp; the next one is adjacent
    const double item_width =
        bare ? sample : sample + kSwatchGap + ruler.width(item.label, kLegendFont);
    if (place.x > 0 && (item.begins_line || place.x + item_width > width))
      place = {0, place.y + kLegendLine};
    legend_.push_back({std::move(item), place});
    place.x += item_width + (bare ? kStepGap : kItemGap);
    legend_height_ = place.y + kLegendLine;
  }
}

double Heading::text_height() const {
  return (title_.empty() ? 0 : kTitleHeight) + (subtitle_.empty() ? 0 : kSubtitleHeight) +
         (legend_.empty() ? 0 : 4);
}

double Heading::height() const {
  return text_height() + legend_height_;
}

bool Heading::has_one_line() const {
  return legend_height_ <= kLegendLine;
}

void Heading::draw(Canvas& canvas, Point at) const {
  double y = at.y;
  if (!title_.empty()) {
    canvas.text({at.x, y + kTitleFont.size}, title_, kTitleFont, kInk);
    y += kTitleHeight;
  }
  if (!subtitle_.empty())
    canvas.text({at.x, y + kSubtitleFont.size}, subtitle_, kSubtitleFont, kQuietInk);
  y = at.y + text_height();
  for (const auto& [item, offset] : legend_) {
    const Rect sample{at.x + offset.x, y + offset.y, sample_width(item), kSwatch};
    draw_sample(canvas, item, sample);
    canvas.text({sample.x + sample.width + kSwatchGap, sample.y + kSwatch - 1.6}, item.label,
                kLegendFont, kInk);
  }
}

void Heading::draw_sample(Canvas& canvas, const LegendItem& item, const Rect& place) {
  const Point middle{place.x + place.width / 2, place.y + place.height / 2};
  if (item.line) {
    canvas.polyline({{place.x + 1, middle.y}, {place.x + place.width - 1, middle.y}},
                    item.line->stroke);
    if (item.line->mark)
      canvas.marks(*item.line->mark, {middle}, kLegendMarkSize, item.line->stroke.colour);
    return;
  }
  canvas.fill(place, item.fill);
  canvas.outline({place}, item.edge, 0.6);
  if (item.mark != ' ') canvas.character(item.mark, {middle}, kMarkFont, readable_on(item.fill));
}

}  // namespace physmem
