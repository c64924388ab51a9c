// SPDX-License-Identifier: MIT
// The only place that knows whether this build can draw: pictures.cc, or no_pictures.cc in a
// guest's program.
#pragma once

#include <iosfwd>
#include <string>

#include "analyzer/shape/shapes.h"
#include "program/result.h"

namespace physmem::profile {

/// Whether a picture could be drawn under this name: its ending is one of .png .svg .pdf .ps.
Status check_picture_name(const std::string& name);

/// Draws in the form that the name's ending says. `name` was checked.
Status draw(std::ostream& out, const std::string& name, const Series& series);

}  // namespace physmem::profile
