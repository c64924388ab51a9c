// SPDX-License-Identifier: MIT
// The text of entries, as formats/emit writes them, from one page of a run to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/compact/run.h"

namespace physmem::compact {

/// A number in hexadecimal within a text, of which the last eight digits are written anew each
/// time.
struct SteppingHex {
  std::uint64_t value = 0;
  std::uint64_t step = 0;  ///< modulo 2^64
  std::size_t at = 0;      ///< of the last eight digits
  std::uint32_t high = 0;  ///< what the text has of the upper half
};

/// An entry: " VA=VALUE, COUNT, FLAGS |" of M:, " VA=TYPE:SLOT |" of S:. From one to the next of a
/// run its two addresses step.
class EntryText {
 public:
  static constexpr std::size_t kMax = 80;  ///< bytes, a little more than any entry has
  static constexpr std::size_t kMin = 22;

  /// The first page of `run`.
  void set(const Run& run, unsigned page_shift);

  std::size_t size() const { return size_; }

  /// Whether it begins `text`.
  bool begins(std::string_view text) const;

  /// To the next page of the run.
  void next();

  /// Writes `pages` entries from this one on, and moves behind them; nullptr where they would go
  /// over `end`. The bytes up to `end + kMax` may be written to.
  char* write(char* at, const char* end, std::uint64_t pages);

 private:
  void write_all();
  void write_use(char* at);
  bool has_other_high() const {
    return va_.value >> 32 != va_.high || place_.value >> 32 != place_.high;
  }
  template <std::size_t kBytes>
  char* write_alike(char* at, std::uint64_t pages);

  List list_ = List::kResident;
  Use use_;
  SteppingHex va_;
  SteppingHex place_;
  std::size_t size_ = 0;
  char text_[kMax] = {};  ///< but for the last eight digits of each address
};

/// Bytes of an entry of M:.
std::uint64_t entry_bytes(std::uint64_t va, std::uint64_t value, std::uint64_t count,
                          std::uint64_t flags);
/// Of all entries of a run of M:, which is not longer than a block.
std::uint64_t text_bytes(const Run& run, unsigned page_shift);

/// The entry at the front of `text`, which must not end within it, if formats/emit would write it
/// so; `entry` is its text then.
std::optional<Run> parse_entry(List list, std::string_view text, unsigned page_shift,
                               EntryText& entry);

}  // namespace physmem::compact
