// SPDX-License-Identifier: MIT
// Lines of parts, for which the screen may have too little room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "top/screen/styled.h"

namespace physmem::top {

/// A part is shown as a whole or not at all.
struct Part {
  Line line;
  int rank = 0;  ///< parts of the highest rank are left out first, the last of them before others
  std::string before = "; ";  ///< the text between it and the part before it
};

/// The parts that fit in the columns, at least one. The texts between them have the style of the
/// part that follows.
Line fitting(std::vector<Part> parts, std::size_t columns);

/// A text in as many lines as it needs, divided at blanks. Lines after the first one are indented.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns,
                                 std::size_t indent = 0);

}  // namespace physmem::top
