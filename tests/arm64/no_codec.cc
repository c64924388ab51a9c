// SPDX-License-Identifier: MIT
// Replaces the decompression libraries: compressed input is not recognized as a snapshot.
#include "analyzer/parse/codec.h"

namespace physmem {

std::unique_ptr<Codec> codec_for(std::string_view) {
  return nullptr;
}

}  // namespace physmem
