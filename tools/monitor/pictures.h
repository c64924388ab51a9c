// SPDX-License-Identifier: MIT
// Drawing, if this build supports it: pictures.cc, or no_pictures.cc in a program for a guest.
#pragma once

#include <iosfwd>
#include <string>

#include "analyzer/shape/shapes.h"
#include "program/result.h"

namespace physmem::monitor {

/// Checks that the name ends in .png, .svg, .pdf or .ps.
Status check_picture_name(const std::string& name);

/// Draws in the format given by the ending of `name`, which must have been checked.
Status draw(std::ostream& out, const std::string& name, const Series& series);

}  // namespace physmem::monitor
