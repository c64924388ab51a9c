// SPDX-License-Identifier: MIT
#include "analyzer/model/frame_classes.h"

#include <algorithm>

namespace physmem {

std::string class_title(const std::string& word) {
  const auto* const found =
      std::find(kFrameClassWords.begin(), kFrameClassWords.end(), std::string_view(word));
  if (found == kFrameClassWords.end()) return word;
  return std::string(facts_of(static_cast<FrameClass>(found - kFrameClassWords.begin())).title);
}

}  // namespace physmem
