// SPDX-License-Identifier: MIT
#pragma once

#include <cairo.h>

#include <map>
#include <memory>

namespace physmem {

/// Fonts for characters that the current font lacks. cairo uses one font per text, and few fonts
/// have all scripts.
class FallbackFonts {
 public:
  /// The best font of this machine for the character; nullptr if no font has it.
  cairo_font_face_t* face_of(char32_t character, bool is_bold);

 private:
  struct Destroy {
    void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
  };
  using Face = std::unique_ptr<cairo_font_face_t, Destroy>;

  std::map<std::pair<char32_t, bool>, Face> faces_;
};

}  // namespace physmem
