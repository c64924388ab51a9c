// SPDX-License-Identifier: MIT
// A chart or map with its layout: on sheets of one size, or as one picture of any height.
#pragma once

#include <cstddef>
#include <limits>

#include "analyzer/report/canvas.h"

namespace physmem {

inline constexpr Font kNoteFont{.size = 9, .italic = true};
inline constexpr Font kAxisFont{.size = 8};

/// The space for the drawing of one sheet, inside the margins.
struct Room {
  double width = 0;
  double height = std::numeric_limits<double>::infinity();  ///< infinite: one picture

  bool is_one_picture() const { return height == std::numeric_limits<double>::infinity(); }
};

class Drawing {
 public:
  virtual ~Drawing() = default;
  virtual std::size_t sheets() const = 0;
  virtual double height(std::size_t sheet) const = 0;
  /// Draws one sheet with its upper left corner at the origin.
  virtual void draw(Canvas& canvas, std::size_t sheet) const = 0;
};

}  // namespace physmem
