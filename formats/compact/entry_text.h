// SPDX-License-Identifier: MIT
// The text of entries, as formats/emit writes them, from one page of a run to the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "formats/compact/run.h"

namespace physmem::compact {

/// A number in hexadecimal that grows or shrinks by a power of two, and its text. Mostly two digits change, those of the step
/// and the next; the others are written anew when they do.
struct SteppingHex {
  std::uint64_t value = 0;
  unsigned shift = 0;  ///< of the step, at most kMostPageShift
  bool is_down = false;
  std::size_t end = 0;             ///< of its text
  std::size_t length = 0;          ///< of its text
  std::size_t digits_at = 0;       ///< those two
  std::uint32_t written_high = 0;  ///< what the text has of the upper half

  unsigned pair() const { return static_cast<unsigned>(value >> (shift & ~3u) & 0xFF); }
  /// Of the two digits, modulo 256 and more.
  unsigned step() const { return is_down ? 0u - (1u << (shift & 3)) : 1u << (shift & 3); }
  /// How many from this one on differ in those digits only.
  unsigned alike() const { return ((is_down ? pair() : 0xFF - pair()) >> (shift & 3)) + 1; }
  void move(std::uint64_t steps) { value += (is_down ? 0 - steps : steps) << shift; }
  char* write(char* text, char* at);
  /// False when it has another length now.
  bool rewrite(char* text);
};

/// All numbers of two hexadecimal digits, from 00 to FF.
extern const std::array<std::array<char, 2>, 256> kHexPairs;

/// An entry: " VA=VALUE, COUNT, FLAGS |" of M:, " VA=TYPE:SLOT |" of S:. From one to the next of a run its two addresses grow.
class EntryText {
 public:
  static constexpr std::size_t kMost = 80;  ///< bytes, a little more than any entry has

  /// The text of the first page of `run`.
  void set(const Run& run, unsigned page_shift);

  std::size_t size() const { return size_; }

  /// Whether it begins `text`.
  bool begins(std::string_view text) const {
    return text.size() >= size_ && has(text.data(), va_) && has(text.data(), place_) &&
           is_same(text.data(), 0, va_.digits_at) &&
           is_same(text.data(), va_.digits_at + 2, place_.digits_at) &&
           is_same(text.data(), place_.digits_at + 2, size_);
  }

  /// To the next page of the run.
  void next() { move(1); }

  /// Writes `pages` entries from this one on, and leaves it at one of them; nullptr where they would go over `end`. The bytes
  /// up to `end + kMost` may be written to.
  char* write(char* at, const char* end, std::uint64_t pages);

 private:
  static bool has(const char* text, const SteppingHex& number) {
    return std::memcmp(text + number.digits_at, kHexPairs[number.pair()].data(), 2) == 0;
  }
  bool is_same(const char* text, std::size_t from, std::size_t to) const {
    return std::memcmp(text + from, text_ + from, to - from) == 0;
  }
  void move(std::uint64_t pages) {
    const bool is_alike = pages < va_.alike() && pages < place_.alike();
    va_.move(pages);
    place_.move(pages);
    if (!is_alike) rewrite();
  }
  void rewrite();
  void write_all();
  void write_use(char* at);
  template <std::size_t kBytes>
  char* write_alike(char* at, std::uint64_t pages) const;

  List list_ = List::kResident;
  Use use_;
  SteppingHex va_;
  SteppingHex place_;
  std::size_t size_ = 0;
  char text_[kMost] = {};
};

/// The entry at the front of `text`, which must not end within it, if formats/emit would write it so; `entry` is its text then.
std::optional<Run> parse_entry(List list, std::string_view text, unsigned page_shift, EntryText& entry);

}  // namespace physmem::compact
