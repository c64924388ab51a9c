// SPDX-License-Identifier: MIT
// Encodes texts in the compact format and decodes them as a reader does.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "analyzer/parse/decoded_source.h"
#include "formats/compact/encoder.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {

/// Encodes the text, passed in pieces of `piece` bytes.
inline std::string compact_of(std::string_view text, std::size_t piece = std::string_view::npos) {
  compact::Encoder encoder;
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at))
    encoder.write(text.substr(at, piece), out);
  encoder.finish(out);
  return out;
}

struct Decoded {
  std::string text;
  std::string error;

  bool operator==(const Decoded&) const = default;
};

/// Decodes `compact` in reads of up to `max_read` bytes. The source delivers up to `max_source`
/// bytes at a time.
inline Decoded decode_text(std::string_view compact, std::size_t max_read = 1 << 16,
                           std::size_t max_source = 1 << 20) {
  Decoded decoded_text;
  auto source = decoded(std::make_unique<PiecewiseSource>(compact, max_source), "s.pmc");
  if (!source) return {"", source.error().text};
  std::string piece(max_read, '\0');
  while (true) {
    const auto n = (*source)->read(piece.data(), piece.size());
    if (!n) decoded_text.error = n.error().text;
    if (!n || *n == 0) return decoded_text;
    decoded_text.text.append(piece, 0, *n);
  }
}

}  // namespace physmem
