// SPDX-License-Identifier: MIT
#include "analyzer/report/fallback_font.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

namespace physmem {
namespace {

using Pattern = std::unique_ptr<FcPattern, Deleter<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Deleter<FcCharSetDestroy>>;

Pattern wanted(char32_t character, bool is_bold) {
  Pattern pattern(FcPatternCreate());
  const CharSet characters(FcCharSetCreate());
  FcCharSetAddChar(characters.get(), character);
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, is_bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL);
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, characters.get());
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  return pattern;
}

}  // namespace

cairo_font_face_t* FallbackFonts::face_of(char32_t character, bool is_bold) {
  const auto [place, is_new] = faces_.try_emplace({character, is_bold});
  if (!is_new) return place->second.get();
  FcResult result = FcResultNoMatch;
  const Pattern found(FcFontMatch(nullptr, wanted(character, is_bold).get(), &result));
  FcCharSet* characters = nullptr;
  if (found && FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &characters) == FcResultMatch &&
      FcCharSetHasChar(characters, character) != FcFalse)
    place->second.reset(cairo_ft_font_face_create_for_pattern(found.get()));
  return place->second.get();
}

}  // namespace physmem
