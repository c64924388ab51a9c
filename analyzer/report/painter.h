// SPDX-License-Identifier: MIT
// Charts, maps and series drawn by cairo: one painter, four kinds of picture.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analyzer/report/picture_format.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Draws the charts, then the maps, then the series. PS and PDF get as many A4 pages as necessary.
/// SVG and PNG are one picture with all drawings below each other; a line "and N more" states what
/// does not fit. Returns an empty text, or the error.
/// A failed write sets the state of the stream instead.
///
/// The same input gives the same bytes, except for the %%CreationDate of PostScript.
std::string paint(std::ostream& out, PictureFormat format, const std::vector<BarChart>& charts,
                  const std::vector<PageMap>& maps, const std::vector<Series>& series = {});

}  // namespace physmem
