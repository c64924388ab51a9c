// SPDX-License-Identifier: MIT
// Reads any bytes as a file in the compact form, and as blocks with correct checksums. They give a
// text, or an error with its position, and the same in pieces of any size. Any bytes as a text are
// restored from the compact form.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/parse/decoded_source.h"
#include "formats/compact/checksum.h"
#include "formats/compact/decoder.h"
#include "formats/compact/encoder.h"
#include "formats/compact/format.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/pieces.h"

namespace physmem {
namespace {

using namespace compact;

/// Bytes: enough for a block's text, so that it is decoded directly into the caller's buffer.
constexpr std::size_t kWide = kMaxText + Decoder::kSlack;

struct Outcome {
  std::string text;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

/// Stops after a million bytes of text; the rest would test nothing new.
Outcome outcome_of(std::string_view file, std::size_t given, std::size_t taken) {
  Outcome outcome;
  auto source = decoded(std::make_unique<Pieces>(file, given), "f");
  PHYSMEM_CHECK(source);
  static std::vector<char> piece(kWide);
  while (outcome.text.size() < 1 << 20) {
    const auto n = (*source)->read(piece.data(), std::min(taken, piece.size()));
    if (!n) outcome.error = n.error().text;
    if (!n || *n == 0) break;
    outcome.text.append(piece.data(), *n);
  }
  return outcome;
}

void check_file(std::string_view file) {
  const Outcome whole = outcome_of(file, file.size() + 1, kWide);
  PHYSMEM_CHECK(whole.error.empty() || whole.error.starts_with("f: "));
  const Outcome pieces = outcome_of(file, 1 + file.size() % 7, kWide);
  PHYSMEM_CHECK(pieces == whole);
  const Outcome narrow = outcome_of(file, file.size() + 1, 100);
  PHYSMEM_CHECK(narrow.error == whole.error && narrow.text == whole.text);
}

void put_block(std::string& file, std::uint32_t& sum, std::uint32_t text_bytes,
               std::string_view payload) {
  char head[kHeadBytes];
  sum = block_checksum(sum, text_bytes, payload);
  put_word(head, static_cast<std::uint32_t>(payload.size()));
  put_word(head + 4, text_bytes);
  put_word(head + 8, sum);
  file.append(head, sizeof head);
  file += payload;
}

/// The data has for each block two bytes with the length of its text, two with the length of its
/// payload, and the payload.
void check_blocks(std::string_view data) {
  std::string file(kMagic);
  std::uint32_t sum = 0;
  while (data.size() > 4) {
    const std::uint32_t lengths = word_at(data.data());
    data.remove_prefix(4);
    const std::string_view payload = data.substr(0, lengths >> 16);
    put_block(file, sum, lengths & 0xFFFF, payload);
    data.remove_prefix(payload.size());
  }
  put_block(file, sum, 0, "");
  check_file(file);
}

void check_text(std::string_view text) {
  Encoder encoder;
  std::string file;
  const std::size_t cut = text.size() / 3;
  encoder.write(text.substr(0, cut), file);
  encoder.write(text.substr(cut), file);
  encoder.finish(file);
  const Outcome outcome = outcome_of(file, file.size() + 1, kWide);
  PHYSMEM_CHECK(outcome.error.empty() && outcome.text == text.substr(0, outcome.text.size()));
  PHYSMEM_CHECK(outcome.text.size() == text.size() || text.size() >= 1 << 20);
}

void check(std::string_view data) {
  // Damaged data of other formats, such as zstd, can give more or less text before its error,
  // depending on the pieces.
  if (data.starts_with(kMagic.substr(0, kFamily))) check_file(data);
  check_blocks(data);
  check_text(data);
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
