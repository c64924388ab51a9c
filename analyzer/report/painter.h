// SPDX-License-Identifier: MIT
// Charts, maps and series drawn by cairo: one painter.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analyzer/report/picture_format.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// What is drawn, in this order.
struct Pictures {
  std::vector<BarChart> charts = {};
  std::vector<PageMap> maps = {};
  std::vector<Series> series = {};
  std::vector<Treemap> treemaps = {};
  std::vector<BlockMap> block_maps = {};
};

/// Draws all of them. PS and PDF get as many A4 pages as necessary.
/// SVG and PNG are one picture with all drawings below each other; a line "and N more" states what
/// does not fit. Returns an empty text, or the error.
/// A failed write sets the state of the stream instead.
///
/// The same input gives the same bytes, except for the %%CreationDate of PostScript.
std::string paint(std::ostream& out, PictureFormat format, const Pictures& pictures);

}  // namespace physmem
