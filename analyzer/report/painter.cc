// SPDX-License-Identifier: MIT
#include "analyzer/report/painter.h"

#include <fmt/format.h>

#include <memory>

#include "analyzer/report/bar_chart_painter.h"
#include "analyzer/report/block_map_painter.h"
#include "analyzer/report/cairo_canvas.h"
#include "analyzer/report/page_map_painter.h"
#include "analyzer/report/series_painter.h"
#include "analyzer/report/surface.h"
#include "analyzer/report/treemap_painter.h"

namespace physmem {
namespace {

using Drawings = std::vector<std::unique_ptr<Drawing>>;

// A4, landscape.
constexpr double kWidth = 842;
constexpr double kHeight = 595;
constexpr double kMargin = 36;
constexpr double kFooter = 16;
constexpr double kDrawingGap = 30;  // between the drawings of one picture
/// Drawings beyond this height are left out of a picture. cairo's images are limited to 32767
/// pixels, and memory is exhausted earlier.
constexpr double kMaxPictureHeight = 10000;
constexpr Font kFooterFont{.size = 8};

/// Appends a drawing for each of the pictures.
template <class Painter, class Shape>
void add_drawings(Drawings& drawings, const std::vector<Shape>& shapes, const Room& room,
                  Canvas& ruler) {
  for (const Shape& shape : shapes)
    drawings.push_back(std::make_unique<Painter>(shape, room, ruler));
}

Drawings lay_out(const Pictures& shapes, const Room& room, PictureFormat format) {
  using Missing = CairoCanvas::Missing;
  CairoCanvas ruler =
      CairoCanvas::ruler(format == PictureFormat::kSvg ? Missing::kViewerHas : Missing::kEscaped);
  Drawings drawings;
  add_drawings<BarChartPainter>(drawings, shapes.charts, room, ruler);
  add_drawings<PageMapPainter>(drawings, shapes.maps, room, ruler);
  add_drawings<SeriesPainter>(drawings, shapes.series, room, ruler);
  add_drawings<TreemapPainter>(drawings, shapes.treemaps, room, ruler);
  add_drawings<BlockMapPainter>(drawings, shapes.block_maps, room, ruler);
  return drawings;
}

std::string title_of(const Pictures& shapes) {
  if (!shapes.charts.empty()) return shapes.charts.front().title;
  if (!shapes.maps.empty()) return shapes.maps.front().title;
  if (!shapes.series.empty()) return shapes.series.front().title;
  if (!shapes.treemaps.empty()) return shapes.treemaps.front().title;
  return shapes.block_maps.empty() ? "" : shapes.block_maps.front().title;
}

bool is_empty(const Pictures& shapes) {
  return shapes.charts.empty() && shapes.maps.empty() && shapes.series.empty() &&
         shapes.treemaps.empty() && shapes.block_maps.empty();
}

std::string paint_pages(Surface& surface, const Drawings& drawings) {
  std::size_t pages = 0;
  for (const auto& drawing : drawings) pages += drawing->sheets();
  std::size_t page = 0;
  for (const auto& drawing : drawings) {
    for (std::size_t sheet = 0; sheet < drawing->sheets(); ++sheet) {
      Canvas& canvas = surface.canvas();
      canvas.move_origin(kMargin, kMargin);
      drawing->draw(canvas, sheet);
      canvas.move_origin(-kMargin, -kMargin);
      canvas.text({kWidth - kMargin, kHeight - kMargin},
                  fmt::format("page {} of {}", ++page, pages), kFooterFont, kQuietInk,
                  Align::kRight);
      surface.next_page();
    }
  }
  return surface.finish();
}

/// The number of drawings in one picture, and its height.
struct Fit {
  std::size_t drawings = 0;
  double height = 2 * kMargin;
};

Fit fit(const Drawings& drawings) {
  Fit fit;
  for (const auto& drawing : drawings) {
    const double taller = fit.height + drawing->height(0) + (fit.drawings > 0 ? kDrawingGap : 0);
    if (fit.drawings > 0 && taller > kMaxPictureHeight) break;
    fit.height = taller;
    ++fit.drawings;
  }
  if (fit.drawings < drawings.size()) fit.height += kDrawingGap;
  return fit;
}

std::string paint_picture(Surface& surface, const Drawings& drawings, const Fit& fit) {
  Canvas& canvas = surface.canvas();
  canvas.paint(kPaper);
  canvas.move_origin(kMargin, kMargin);
  for (std::size_t i = 0; i < fit.drawings; ++i) {
    drawings[i]->draw(canvas, 0);
    canvas.move_origin(0, drawings[i]->height(0) + kDrawingGap);
  }
  if (fit.drawings < drawings.size())
    canvas.text({0, 0},
                fmt::format("and {} more pictures, which --pdf and --ps show",
                            drawings.size() - fit.drawings),
                kNoteFont, kQuietInk);
  return surface.finish();
}

}  // namespace

std::string paint(std::ostream& out, PictureFormat format, const Pictures& shapes) {
  if (is_empty(shapes)) return paint(out, format, {.charts = {BarChart{}}});
  const std::string title = title_of(shapes);
  if (has_pages(format)) {
    const Drawings drawings =
        lay_out(shapes, {kWidth - 2 * kMargin, kHeight - 2 * kMargin - kFooter}, format);
    Surface surface(out, format, kWidth, kHeight, title);
    return paint_pages(surface, drawings);
  }
  const Drawings drawings = lay_out(shapes, {kWidth - 2 * kMargin}, format);
  const Fit fitting = fit(drawings);
  Surface surface(out, format, kWidth, fitting.height, title);
  return paint_picture(surface, drawings, fitting);
}

}  // namespace physmem
