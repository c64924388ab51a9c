// SPDX-License-Identifier: MIT
// The target of a picture: the only place that distinguishes PostScript from PNG.
#pragma once

#include <cairo.h>

#include <memory>
#include <optional>
#include <string>

#include "analyzer/report/cairo_canvas.h"
#include "analyzer/report/picture_format.h"
#include "analyzer/report/svg_canvas.h"
#include "program/deleter.h"

namespace physmem {

/// True for PostScript and PDF; SVG and PNG are one picture.
bool has_pages(PictureFormat format);

class Surface {
 public:
  /// Width and height in points: of every page, or of the picture.
  Surface(std::ostream& out, PictureFormat format, double width, double height,
          const std::string& title);

  Canvas& canvas();
  void next_page() { cairo_surface_show_page(surface_.get()); }
  /// Writes the rest. Empty, or the error. A failed write sets the state of the stream instead: its
  /// owner knows the file and the reason.
  std::string finish();

 private:
  std::string finish_cairo();

  std::ostream& out_;
  PictureFormat format_;
  std::unique_ptr<cairo_surface_t, Deleter<cairo_surface_destroy>> surface_;
  std::optional<CairoCanvas> cairo_;
  std::optional<SvgCanvas> svg_;  // one of the two canvases is used
};

}  // namespace physmem
