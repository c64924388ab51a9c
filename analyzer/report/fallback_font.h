// SPDX-License-Identifier: MIT
#pragma once

#include <cairo.h>

#include <map>
#include <memory>

#include "program/deleter.h"

namespace physmem {

/// Fonts for characters that the current font lacks. cairo uses one font per text, and few fonts
/// have all scripts.
class FallbackFonts {
 public:
  /// The best font of this machine for the character; nullptr if no font has it.
  cairo_font_face_t* face_of(char32_t character, bool is_bold);

 private:
  using Face = std::unique_ptr<cairo_font_face_t, Deleter<cairo_font_face_destroy>>;

  std::map<std::pair<char32_t, bool>, Face> faces_;
};

}  // namespace physmem
