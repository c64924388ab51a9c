// SPDX-License-Identifier: MIT
#pragma once

#include <cairo.h>

#include <map>
#include <memory>

namespace physmem {

/// Fonts that have the characters which the chosen one lacks: cairo takes one font for a text, and
/// few have the signs of all scripts.
class FallbackFonts {
 public:
  /// The font of this machine that is best for the character; nothing where no font has it.
  cairo_font_face_t* face_of(char32_t character, bool is_bold);

 private:
  struct Destroy {
    void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
  };
  using Face = std::unique_ptr<cairo_font_face_t, Destroy>;

  std::map<std::pair<char32_t, bool>, Face> faces_;
};

}  // namespace physmem
